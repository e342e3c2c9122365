/** The secret of which keys of sent files are derived: random, and the same for all files of a journal. */
import { z } from 'zod';
import { randomBytes } from '../../../protocol/crypto.ts';
import { decodeBase64Url, encodeBase64Url } from '../../../protocol/encoding.ts';
import { Bytes } from '../../../protocol/primitives.ts';
import type { Table } from './table.ts';

const FileSecretEntry = z.strictObject({ fileSecret: Bytes(32) });
export type FileSecretEntry = z.infer<typeof FileSecretEntry>;

export class FileSecret implements Table<FileSecretEntry> {
  readonly schema = FileSecretEntry;
  readonly #add: (entry: FileSecretEntry) => void;
  #secret: string | null = null;

  /** @param add makes an entry durable and applies it */
  constructor(add: (entry: FileSecretEntry) => void) {
    this.#add = add;
  }

  /** 32 bytes, made by the first call. */
  get bytes(): Uint8Array {
    if (this.#secret === null) this.#add({ fileSecret: encodeBase64Url(randomBytes(32)) });
    return decodeBase64Url(this.#secret ?? '');
  }

  apply({ fileSecret }: FileSecretEntry): void {
    this.#secret = fileSecret;
  }

  entries(): FileSecretEntry[] {
    return this.#secret === null ? [] : [{ fileSecret: this.#secret }];
  }
}
