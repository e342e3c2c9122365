import { fromBase64url, isBase64url } from './bytes.ts';
import { nameOfList } from './device-list.ts';
import { lookUp, readPqKeys, type Target } from './directory.ts';
import { isFields, isListOf, timeOf } from './forms.ts';
import type { SigningKey } from './keys.ts';
import type { Memory } from './memory.ts';
import type { OwnDevice } from './own-account.ts';
import { type Body, type Channel, encodePayload, newId } from './payload.ts';
import { must } from './refusal.ts';
import { ANSWER_BYTES, mustAnswer, type Relay } from './relay.ts';
import { type Envelope, envelopeId, type Header, type RecipientKey, seal } from './seal.ts';
import type { SealKey } from './seal-key.ts';

/** Creating a message, sealing its copies, and sending them (section 8). */

/** The sender: its address at the relay, and its signing key. */
export interface Voice {
  address: string;
  device: OwnDevice | null;
  bot: SigningKey | null;
  /** Written by a program. */
  automated: boolean;
  /** Without ML-KEM all copies are sealed in suite 0x01. */
  hasMlKem: boolean;
}

/** Content of a message: its kind and the fields of that kind. */
export interface Statement {
  kind: string;
  [field: string]: unknown;
}

/** The body of a message of this sender; `where` has the fields of the channel. */
export function bodyBy(voice: Voice, statement: Statement, where: object, seq: number, now: number): Body {
  const { device } = voice;
  return {
    id: newId(),
    sender: voice.address,
    sentAt: timeOf(now),
    seq,
    ...statement,
    ...(device === null ? {} : { list: nameOfList(device.address, device.list) }),
    ...where,
  };
}

/** A body, encoded and signed once. */
export function payloadBy(voice: Voice, channel: Channel, body: Body): Uint8Array {
  if (voice.device !== null) return encodePayload(channel, body, { by: 'device', key: voice.device.key });
  return encodePayload(channel, body, voice.bot === null ? null : { by: 'bot', key: voice.bot });
}

/** The key to seal to, from a statement. Refused while its post-quantum half is not available. */
export function recipientKey(memory: Memory, statement: SealKey, hasMlKem: boolean): RecipientKey {
  const key = fromBase64url(statement.key, 32);
  if (statement.pq === null || !hasMlKem) return { key, pqKey: null };
  const pqKey = memory.pqKeys.get(statement.pq);
  must(pqKey !== undefined, 'waiting', 'the relay does not show the post-quantum key');
  return { key, pqKey };
}

const headerFor = (voice: Voice, target: Target, asRequest: boolean): Omit<Header, 'suite'> => ({
  asRequest,
  automated: voice.automated,
  senderListSequence: voice.device?.list.sequence ?? 0,
  recipientListSequence: target.listSequence,
});

/** A copy of a payload for each key of a target. */
export async function sealFor(
  relay: Relay,
  memory: Memory,
  voice: Voice,
  target: Target,
  keys: readonly SealKey[],
  payload: Uint8Array,
  asRequest = false,
): Promise<Envelope[]> {
  if (voice.hasMlKem) await readPqKeys(relay, memory, keys);
  const route = { from: voice.address, to: target.address };
  return Promise.all(
    keys.map(async (statement) => ({
      toAddress: target.address,
      recipientDeviceKey: statement.key,
      ...(await seal(
        route,
        recipientKey(memory, statement, voice.hasMlKem),
        headerFor(voice, target, asRequest),
        payload,
      )),
    })),
  );
}

export type Result =
  | { status: 'accepted' | 'duplicate'; id: string }
  | { status: 'rejected'; error: { code: string; reason: string; detail: string } };

function isResult(value: unknown): value is Result {
  if (!isFields(value)) return false;
  if (value.status === 'accepted' || value.status === 'duplicate') return typeof value.id === 'string';
  return value.status === 'rejected' && isFields(value.error) && typeof value.error.code === 'string';
}

/** Checks that results belong to the sent envelopes: a sender accepts no other id for an answer. */
export function readResults(value: unknown, from: string, envelopes: readonly Envelope[]): Result[] {
  mustAnswer(isListOf(value, envelopes.length, envelopes.length, isResult), 'results');
  for (const [i, result] of value.entries()) {
    const envelope = envelopes[i];
    const isRight = result.status === 'rejected' || (envelope && result.id === envelopeId(from, envelope));
    mustAnswer(isRight === true, 'another id');
  }
  return value;
}

const BATCH_MOST = 500;

/** Posts sealed envelopes: a single one, or in batches. Repeating the same post is harmless. */
export async function postEnvelopes(
  relay: Relay,
  from: string,
  envelopes: readonly Envelope[],
): Promise<Result[]> {
  const [only] = envelopes;
  if (only !== undefined && envelopes.length === 1) return [await postEnvelope(relay, from, only)];
  const results: Result[] = [];
  for (let at = 0; at < envelopes.length; at += BATCH_MOST) {
    const batch = envelopes.slice(at, at + BATCH_MOST);
    const { body } = await relay.call('/envelopes', {
      method: 'POST',
      body: { envelopes: batch },
      mostBytes: ANSWER_BYTES.batch,
    });
    results.push(...readResults(body.results, from, batch));
  }
  return results;
}

/** Posts one envelope; a refusal is thrown as `Problem`. */
export async function postEnvelope(relay: Relay, from: string, envelope: Envelope): Promise<Result> {
  const { status, body } = await relay.call('/envelopes', {
    method: 'POST',
    body: envelope,
    statuses: [200, 201],
  });
  mustAnswer(isBase64url(body.id, 32) && body.id === envelopeId(from, envelope), 'another id');
  return { status: status === 201 ? 'accepted' : 'duplicate', id: body.id };
}

/** A sent message: its id, its exact bytes, and the result of each copy. */
export interface Sent {
  body: Body;
  payload: Uint8Array;
  envelopes: Envelope[];
  results: Result[];
}

/** Limit of fetching keys again for a message with copies for outdated keys. */
const TOP_UPS = 2;

/** Seals a payload for an address and posts it. If keys are rejected, fetches them again and seals again. */
export async function deliver(
  relay: Relay,
  memory: Memory,
  voice: Voice,
  to: string,
  payload: Uint8Array,
  options: { asRequest?: boolean; now: () => number; onlyDevices?: readonly string[]; except?: string },
): Promise<{ envelopes: Envelope[]; results: Result[] }> {
  const envelopes: Envelope[] = [];
  const results: Result[] = [];
  const covered = new Set<string>();
  for (let round = 0; round <= TOP_UPS; round++) {
    const target = await lookUp(relay, memory, to, options.now());
    must(
      target.blocked === null,
      target.blocked ?? 'waiting',
      `nothing is sealed to ${to}: ${target.blocked}`,
    );
    const keys = target.keys.filter(
      ({ deviceId, key }) =>
        !covered.has(key) && deviceId !== options.except && (options.onlyDevices?.includes(deviceId) ?? true),
    );
    if (keys.length === 0) break;
    const copies = await sealFor(relay, memory, voice, target, keys, payload, options.asRequest);
    const answered =
      copies.length === 1
        ? await tryOne(relay, voice, copies)
        : await postEnvelopes(relay, voice.address, copies);
    envelopes.push(...copies);
    results.push(...answered);
    for (const { key } of keys) covered.add(key);
    const isStale = answered.some((one) => one.status === 'rejected' && one.error.code === 'unknown_device');
    if (!isStale) break;
  }
  return { envelopes, results };
}

/** A batch of one, so that a rejected key is a result, not a refusal of the call. */
async function tryOne(relay: Relay, voice: Voice, copies: Envelope[]): Promise<Result[]> {
  const { body } = await relay.call('/envelopes', { method: 'POST', body: { envelopes: copies } });
  return readResults(body.results, voice.address, copies);
}
