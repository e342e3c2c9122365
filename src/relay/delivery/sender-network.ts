/**
 * The network that mail or a login came from, as it is kept beside them while they wait: a keyed hash, never an address.
 *
 * The key stands in no database. One relay alone makes it when it starts, so the same network has the same name until it
 * is started again. Relays that share a database make it of the password with which they log in there, so that a network
 * has the same name on all of them, and who gets a copy of the database, without that password, cannot tell which it was.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isLoopback, wideNetworkOf } from '../http/network.ts';

const KEY_BYTES = 32;
const NAME_BYTES = 16;

export class SenderNetworks {
  readonly #key: Uint8Array;

  /** @param key of its own for this process, unless it is given */
  constructor(key: Uint8Array = randomBytes(KEY_BYTES)) {
    this.#key = key;
  }

  /**
   * The name of the /24 or /48 that a caller is in: 16 bytes in base64url. Null for a caller on the relay's own
   * machine, which may stand for everybody: a proxy that is not trusted, or the programs beside an embedded relay.
   * @param network as `networkOf` gives it
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
