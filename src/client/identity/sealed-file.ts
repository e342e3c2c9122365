/**
 * The stored form of an identity's file: plain, or sealed under its own key. That key is sealed under a passphrase,
 * or stored elsewhere by the program that opens the file, for example in a key store.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  openBox,
  openWithPassphraseSync,
  PassphraseBox,
  SecretBox,
  sealBox,
  sealWithPassphraseSync,
} from '../../base/node/secret-box.ts';
import { requirePassphrase } from '../../base/require-passphrase.ts';
import { IdentityError } from '../errors.ts';
import { type IdentityData, parseIdentity, readIdentityJson, writeIdentityJson } from './file.ts';

const DATA_PURPOSE = 'waxwing identity v2';
const KEY_PURPOSE = 'waxwing identity key v2';

/** Protection of a file: a passphrase, or the key itself (32 bytes) and the reference for finding it again. */
export type Protection = { passphrase: string } | { key: Uint8Array; reference: string };

const KeyHolder = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('passphrase'), ...PassphraseBox.shape }),
  z.strictObject({ kind: z.literal('elsewhere'), reference: z.string() }),
]);
export type KeyHolder = z.infer<typeof KeyHolder>;

const SealedFile = z.strictObject({ version: z.literal(2), key: KeyHolder, data: SecretBox });

interface Seal {
  /** 32 bytes, only for this file. */
  key: Uint8Array;
  holder: KeyHolder;
}

/** Reads and writes one identity. */
export class IdentityFile {
  readonly #path: string;
  /** Null for a plain file. */
  readonly #seal: Seal | null;

  private constructor(path: string, seal: Seal | null) {
    this.#path = path;
    this.#seal = seal;
  }

  /**
   * A new file.
   * @param protection plain by default
   * @throws IdentityError if it exists already or cannot be written; Failure for an unacceptable passphrase
   */
  static create(path: string, data: IdentityData, protection?: Protection): IdentityFile {
    const file = new IdentityFile(path, protection ? sealFor(protection, namesOf(data)) : null);
    file.#write(data, true);
    return file;
  }

  /**
   * An existing file. If a protection is given, a plain file is sealed.
   * @throws IdentityError if it cannot be read, is invalid, or does not open; Failure for an unacceptable passphrase
   */
  static open(path: string, protection?: Protection): { file: IdentityFile; data: IdentityData } {
    const json = readIdentityJson(path);
    const sealed = SealedFile.safeParse(json);
    if (!sealed.success) {
      const data = parseIdentity(path, json);
      const file = new IdentityFile(path, protection ? sealFor(protection, namesOf(data)) : null);
      if (protection) file.write(data);
      return { file, data };
    }
    const { key: holder, data: box } = sealed.data;
    const key = openKey(path, holder, protection);
    const text = key && openBox(key, box, DATA_PURPOSE);
    if (!key || !text) {
      throw holder.kind === 'passphrase'
        ? new IdentityError('identity_wrong_passphrase', { path })
        : new IdentityError('identity_wrong_key', { path });
    }
    const data = parseIdentity(path, JSON.parse(text.toString('utf8')));
    return { file: new IdentityFile(path, { key, holder }), data };
  }

  /** @throws IdentityError if writing fails; then the old file remains */
  write(data: IdentityData): void {
    this.#write(data, false);
  }

  #write(data: IdentityData, isNew: boolean): void {
    const json = this.#seal === null ? data : sealData(this.#seal, data);
    writeIdentityJson(this.#path, json, isNew);
  }
}

/**
 * The holder of a file's key; null for a plain file.
 * @throws IdentityError if it cannot be read, or is no identity
 */
export function keyHolderOf(path: string): KeyHolder | null {
  const json = readIdentityJson(path);
  const sealed = SealedFile.safeParse(json);
  if (sealed.success) return sealed.data.key;
  parseIdentity(path, json);
  return null;
}

function namesOf({ handle, displayName }: IdentityData): string[] {
  return [handle, displayName].filter((name) => name !== null);
}

function sealData({ key, holder }: Seal, data: IdentityData) {
  const box = sealBox(key, Buffer.from(JSON.stringify(data), 'utf8'), DATA_PURPOSE);
  return { version: 2, key: holder, data: box } satisfies z.infer<typeof SealedFile>;
}

/** @param own handle and name of the identity, if any */
function sealFor(protection: Protection, own: readonly string[]): Seal {
  if ('key' in protection) {
    return { key: protection.key, holder: { kind: 'elsewhere', reference: protection.reference } };
  }
  if (protection.passphrase === '') {
    throw new IdentityError('identity_passphrase_empty');
  }
  requirePassphrase(protection.passphrase, own);
  const key = randomBytes(32);
  const box = sealWithPassphraseSync(protection.passphrase, key, KEY_PURPOSE);
  return { key, holder: { kind: 'passphrase', ...box } };
}

function openKey(path: string, holder: KeyHolder, protection: Protection | undefined): Uint8Array | null {
  if (holder.kind === 'passphrase') {
    if (protection && 'passphrase' in protection) {
      return openWithPassphraseSync(protection.passphrase, holder, KEY_PURPOSE);
    }
    throw new IdentityError('identity_passphrase_missing', { path });
  }
  if (protection && 'key' in protection) return protection.key;
  throw new IdentityError('identity_key_elsewhere', { path });
}
