/** Keys of a backup: a random one, wrapped for people, and those derived from it. */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { openRecoveryWrap, wrapForRecovery } from '../base/node/recovery-wrap.ts';
import { openWithPassphrase, sealWithPassphrase } from '../base/node/secret-box.ts';
import { encodeBase64Url } from '../protocol/encoding.ts';
import { BACKUP_VERSION, type BackupHeader } from './form.ts';
import type { FileRecord } from './history-records.ts';

const PURPOSE = 'waxwing backup key v1';
const KEY_BYTES = 32;

/** Secrets of a backup: at least one of them. */
export interface BackupSecrets {
  passphrase: string | null;
  /** 32 bytes, the private key of the recovery phrase. */
  walletKey: Uint8Array | null;
}

/** Makes a backup key and its header. */
export async function newBackupKey({ passphrase, walletKey }: BackupSecrets): Promise<{
  key: Uint8Array;
  header: BackupHeader;
}> {
  if (passphrase === null && walletKey === null)
    throw new RangeError('a backup needs a passphrase or a key of the wallet');
  const key = new Uint8Array(randomBytes(KEY_BYTES));
  const header = {
    version: BACKUP_VERSION,
    id: encodeBase64Url(randomBytes(16)),
    passphrase: passphrase === null ? null : await sealWithPassphrase(passphrase, key, PURPOSE),
    recovery: walletKey && wrapForRecovery(key, walletKey, 'backup'),
  } as const;
  return { key, header };
}

/** The backup key; null if none of the secrets opens it. */
export async function openBackupKey(
  { passphrase: box, recovery }: BackupHeader,
  { passphrase, walletKey }: BackupSecrets,
): Promise<Uint8Array | null> {
  const byWallet = recovery && walletKey && openRecoveryWrap(recovery, walletKey, 'backup');
  if (byWallet) return new Uint8Array(byWallet);
  const byPassphrase = box && passphrase !== null ? await openWithPassphrase(passphrase, box, PURPOSE) : null;
  return byPassphrase && new Uint8Array(byPassphrase);
}

/** Keys for the contents of a backup, each for one use. */
export interface ContentKeys {
  names: Uint8Array;
  blocks: Uint8Array;
  manifest: Uint8Array;
}

export function contentKeys(key: Uint8Array): ContentKeys {
  const derive = (use: string) =>
    new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), `waxwing backup v1 ${use}`, KEY_BYTES));
  return { names: derive('names'), blocks: derive('blocks'), manifest: derive('manifest') };
}

/** Name of a block: a keyed hash of its contents, so that it reveals nothing about them. */
export function nameOf({ names }: ContentKeys, contents: Uint8Array): Buffer {
  return createHmac('sha256', names).update(contents).digest();
}

/** Name of a piece of a file. A file never changes: hashing it again would take longer than sealing it. */
export function pieceName({ names }: ContentKeys, { key, digest, size }: FileRecord, index: number): Buffer {
  return createHmac('sha256', names).update(`piece ${key} ${digest} ${size} ${index}`).digest();
}

/** Key of one block. The contents of a name are always the same: it seals nothing else. */
export function blockKey({ blocks }: ContentKeys, name: Uint8Array): Buffer {
  return createHmac('sha256', blocks).update(name).digest();
}
