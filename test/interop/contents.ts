/**
 * What a body holds and who may send it, protocol §7: 'Contents' and 'Rights'.
 */
import { utf8 } from './bytes.ts';
import { isDeviceList } from './device.ts';
import { isBase64url, isId, isRecord, isSequence } from './forms.ts';
import { isTicket } from './joining.ts';
import { isText } from './text.ts';

export type Channel = 'direct' | 'group';

/** `newer` shows its fallback; `unknown` is kept and shown nowhere. */
export type Contents = 'text' | 'invite' | 'hello' | 'newer' | 'unknown';

/**
 * How the sender is known: by a device's signature, or by that of a bot of the group; else by the relay's word, which the
 * sender's list allows (`api`) or the group (`token`).
 */
export type Proof = 'signed' | 'bot' | 'api' | 'token';

const FALLBACK_BYTES = 1000;
/** Of lists, and of entries. */
const HELLO_ITEMS = 8;
/** Of both as JSON. */
const HELLO_BYTES = 32 * 1024;
const MAY_BE_UNSIGNED = new Set(['text', 'attachment', 'poll', 'reaction', 'edit', 'delete']);

/** Judges kind and fields of a well-formed body. */
export function judgeContents(channel: Channel, body: Record<string, unknown>): Contents {
  if (body.kind === 'text' && isText(body.text, 16_384)) return 'text';
  if (body.kind === 'invite' && channel === 'direct' && isInvite(body)) return 'invite';
  if (body.kind === 'hello' && isHello(body)) return 'hello';
  return isText(body.fallback, FALLBACK_BYTES) ? 'newer' : 'unknown';
}

function isInvite({ group, name, ticket }: Record<string, unknown>): boolean {
  return isBase64url(group, 16) && isText(name, 80) && isTicket(ticket);
}

function isHello({ list, group, lists, roster, entries }: Record<string, unknown>): boolean {
  if (!isListReference(list)) return false;
  if (group !== undefined && !isId(group)) return false;
  if (roster !== undefined && !isPlace(roster)) return false;
  const isEvidence = areItems(lists, isDeviceList) && areItems(entries, isEntry);
  return isEvidence && bytesOf(lists) + bytesOf(entries) <= HELLO_BYTES;
}

function areItems(value: unknown, isItem: (item: unknown) => boolean): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) && value.length <= HELLO_ITEMS && value.every(isItem);
}

function bytesOf(items: unknown): number {
  return Array.isArray(items) && items.length > 0 ? utf8(JSON.stringify(items)).length : 0;
}

function isEntry(value: unknown): boolean {
  if (!isRecord(value) || typeof value.body !== 'string' || !/^[\w-]*$/.test(value.body)) return false;
  return isBase64url(value.deviceId, 16) && isBase64url(value.signature, 64);
}

/** `{epoch, hash}` of an entry. */
export function isPlace(value: unknown): boolean {
  return isRecord(value) && isSequence(value.epoch) && isBase64url(value.hash, 32);
}

/** `{sequence, hash}` of a device list. */
export function isListReference(value: unknown): boolean {
  return isRecord(value) && isSequence(value.sequence) && isBase64url(value.hash, 32);
}

/**
 * Whether a sender that is known in this way may send this kind.
 * @param group.creator of the group as the recipient was first told; null for none
 */
export function maySend(proof: Proof, kind: string, channel: Channel): boolean {
  if (proof === 'signed') return true;
  if (!MAY_BE_UNSIGNED.has(kind)) return false;
  return proof === 'api' || channel === 'group';
}
