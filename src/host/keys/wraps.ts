/**
 * keys.json: the wraps of the data key, never the key. Replaced atomically, so that a crash leaves the old
 * file or the new one.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import { reasonOf, writeDurably } from '../../base/node/durable-file.ts';
import { RecoveryWrap } from '../../base/node/recovery-wrap.ts';
import { PassphraseBox, SecretBox } from '../../base/node/secret-box.ts';

export const KEYS_FILE = 'keys.json';

/** Under a separate key, stored in the system's key store. */
export const SystemWrap = z.strictObject({
  kind: z.literal('system'),
  /** The store's name. */
  store: z.string(),
  /** The store's reference to that key. */
  reference: z.string(),
  ...SecretBox.shape,
});
export type SystemWrap = z.infer<typeof SystemWrap>;

export const PassphraseWrap = z.strictObject({ kind: z.literal('passphrase'), ...PassphraseBox.shape });
export type PassphraseWrap = z.infer<typeof PassphraseWrap>;

export const Wrap = z.discriminatedUnion('kind', [SystemWrap, PassphraseWrap, RecoveryWrap]);
export type Wrap = z.infer<typeof Wrap>;

const KeysFile = z.strictObject({ version: z.literal(1), wraps: z.array(Wrap) });

/**
 * The wraps in a folder; none without a file.
 * @throws Failure for an invalid file: it is left unchanged
 */
export function readWraps(folder: string): Wrap[] {
  const path = join(folder, KEYS_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new Failure('key_unreadable', { path, reason: reasonOf(error) });
  }
  try {
    return KeysFile.parse(JSON.parse(text)).wraps;
  } catch {
    throw new Failure('key_damaged', { path });
  }
}

/** @throws Failure if the disk refuses; the old file stays */
export function writeWraps(folder: string, wraps: readonly Wrap[]): void {
  const path = join(folder, KEYS_FILE);
  try {
    writeDurably(path, `${JSON.stringify({ version: 1, wraps }, null, 2)}\n`);
  } catch (error) {
    throw new Failure('key_unwritable', { path, reason: reasonOf(error) });
  }
}
