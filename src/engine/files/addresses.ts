/**
 * Addresses of files for a page: random, and valid until the engine ends. A program on this computer that does not know an
 * address gets nothing.
 */
import { FILES_PATH } from '../../bridge/files.ts';
import { BoundedMap } from '../../protocol/bounded-map.ts';
import { randomBytes } from '../../protocol/crypto.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';

const MAX_ADDRESSES = 10_000;

export interface AddressedFile {
  /** Its id in the cache. */
  id: number;
  /** For saving it. */
  name: string;
  /** For showing it. */
  mediaType: string;
}

export class FileAddresses {
  readonly #files = new BoundedMap<string, AddressedFile>(MAX_ADDRESSES);
  readonly #tokens = new BoundedMap<number, string>(MAX_ADDRESSES);

  /** The address of a file: the same one for each request. */
  of({ id, name, mediaType }: AddressedFile): { token: string; path: string } {
    const token = this.#tokens.get(id) ?? encodeBase64Url(randomBytes(16));
    this.#tokens.set(id, token);
    this.#files.set(token, { id, name, mediaType });
    return { token, path: `${FILES_PATH}${token}` };
  }

  /** The file of an address; null if there is none. */
  find(token: string): AddressedFile | null {
    return this.#files.get(token) ?? null;
  }
}
