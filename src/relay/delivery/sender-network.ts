/**
 * The network of a sender or login, stored with the waiting mail or login: a keyed hash, never an address.
 *
 * The key is in no database. A single relay creates it at its start, so a network has the same name until the
 * restart. Relays that share a database derive it from the password of their database login. A network then has the
 * same name on all of them. A copy of the database, without that password, does not reveal the network.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isLoopback, wideNetworkOf } from '../http/network.ts';

const KEY_BYTES = 32;
const NAME_BYTES = 16;

export class SenderNetworks {
  readonly #key: Uint8Array;

  /** @param key by default a new one for this process */
  constructor(key: Uint8Array = randomBytes(KEY_BYTES)) {
    this.#key = key;
  }

  /**
   * The name of the caller's /24 or /48: 16 bytes in base64url. Null for a caller on the relay's own machine, which
   * many may share: an untrusted proxy, or the programs beside an embedded relay.
   * @param network as `networkOf` returns it
   */
  nameOf(network: string): string | null {
    if (isLoopback(network)) return null;
    return this.hash(wideNetworkOf(network));
  }

  /** The same for the caller's own address, or /64. */
  nameOfAddress(network: string): string | null {
    return isLoopback(network) ? null : this.hash(network);
  }

  /** The name of any text: 16 bytes in base64url. */
  hash(text: string): string {
    const digest = createHmac('sha256', this.#key).update(text).digest();
    return digest.subarray(0, NAME_BYTES).toString('base64url');
  }
}
