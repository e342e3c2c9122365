/** The file of an identity: one JSON object, replaced as a whole, readable only by its owner. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { reasonOf, writeDurably } from '../../base/node/durable-file.ts';
import { DeviceList } from '../../protocol/device-list.ts';
import { Bytes, WireAddress } from '../../protocol/primitives.ts';
import { SealKey } from '../../protocol/seal-key.ts';
import { IdentityError } from '../errors.ts';

const time = z.number().int().nonnegative();

export const IdentityData = z.strictObject({
  version: z.literal(1),
  address: WireAddress,
  /** secp256k1 private key; null if the wallet is stored elsewhere. */
  walletKey: Bytes(32).nullable(),
  /** The recovery phrase of a wallet created with this file; null for other wallets. */
  phrase: z.string().nullable(),
  /** Ed25519 seed of the device. */
  deviceSeed: Bytes(32),
  deviceType: z.enum(['app', 'api']),
  /** Every known own list, ascending. */
  deviceLists: z.array(DeviceList),
  registeredAt: time.nullable(),
  /** Newest first. */
  sealKeys: z.array(
    // The secret is the seed of both halves.
    z.strictObject({ secret: Bytes(32), statement: SealKey, createdAt: time, acceptedAt: time.nullable() }),
  ),
  /** The handle claimed for it. */
  handle: z.string().nullable(),
  /** The display name, and whether API keys work, as last reported by the relay; null before. */
  displayName: z.string().nullable(),
  developerApi: z.boolean().nullable(),
  /** Base URL of the relay at which the identity is registered. */
  relay: z.string().nullable(),
  apiKey: z.string().nullable(),
  /** The longest retention that the relay has announced, in milliseconds. */
  retention: z.number().nonnegative().nullable(),
});
export type IdentityData = z.infer<typeof IdentityData>;

/**
 * The JSON in an identity's file.
 * @throws IdentityError
 */
export function readIdentityJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new IdentityError('identity_unreadable', { path, reason: reasonOf(error) });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new IdentityError('identity_not_json', { path });
  }
}

/**
 * The contents of the file, checked.
 * @throws IdentityError
 */
export function parseIdentity(path: string, json: unknown): IdentityData {
  const data = IdentityData.safeParse(json);
  if (data.success) return data.data;
  const [issue] = data.error.issues;
  throw new IdentityError('identity_malformed', {
    path,
    place: issue?.path.join('.') ?? '',
    fault: issue?.path[0] === 'version' && !hasVersion(json) ? 'it is missing' : (issue?.message ?? ''),
  });
}

function hasVersion(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'version' in json;
}

/**
 * Writes an identity's file atomically: after a crash it is the old one or the new one.
 * @param isNew refuses to replace an existing file, and leaves none after a failure, so that it can be repeated
 * @throws IdentityError
 */
export function writeIdentityJson(path: string, json: unknown, isNew = false): void {
  const text = `${JSON.stringify(json, null, 2)}\n`;
  try {
    if (isNew) writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
    try {
      writeDurably(path, text);
    } catch (error) {
      if (isNew) rmSync(path, { force: true });
      throw error;
    }
  } catch (error) {
    throw new IdentityError('identity_unwritable', { path, reason: reasonOf(error) });
  }
}
