/**
 * The key by which relays on one database name networks (delivery/sender-network.ts). It is stored nowhere: it is
 * derived from the login password of the relays and from random bytes in the database.
 */
import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type pg from 'pg';

const KEY_BYTES = 32;
const LABEL = Buffer.from('waxwing/networks/v1');

/**
 * @param client has logged in: the password may be in the URL, the environment or a file
 * @returns undefined if no password was needed
 */
export async function readNetworkKey(client: pg.Client): Promise<Uint8Array | undefined> {
  const { rows } = await client.query<{ salt: Buffer }>('SELECT salt FROM network_salt');
  const { password } = client;
  const salt = rows[0]?.salt;
  if (!password || !salt) return undefined;
  return (await promisify(scrypt)(password, Buffer.concat([LABEL, salt]), KEY_BYTES)) as Buffer;
}
