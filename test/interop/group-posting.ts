import { isBase64url } from './bytes.ts';
import type { Target } from './directory.ts';
import { isListOf } from './forms.ts';
import { type CurrentGroup, groupBlock, judgeMembers, readGroup, readGroupView } from './group-reading.ts';
import type { Memory } from './memory.ts';
import type { Body } from './payload.ts';
import { must } from './refusal.ts';
import { ANSWER_BYTES, mustAnswer, type Relay } from './relay.ts';
import { lastEntry } from './roster-state.ts';
import type { Envelope } from './seal.ts';
import {
  bodyBy,
  payloadBy,
  type Result,
  readResults,
  type Statement,
  sealFor,
  type Voice,
} from './sending.ts';

/** Posting to a group: one copy for each key of each member (section 11, 'Posts'). */

export interface Posted {
  body: Body;
  payload: Uint8Array;
  results: Result[];
  /** Members for whom nothing was sealed, with the reasons. */
  blocked: { address: string; why: string }[];
}

const COPIES_MOST = 5_000;
const TOP_UPS = 2;

const isKey = (value: unknown): value is string => isBase64url(value, 32);

async function postCopies(relay: Relay, id: string, from: string, copies: Envelope[]) {
  const { body } = await relay.call(`/groups/${id}/envelopes`, {
    method: 'POST',
    body: { envelopes: copies },
    mostBytes: ANSWER_BYTES.chain,
  });
  mustAnswer(
    isListOf(body.missing, 0, 100_000, isKey) && isListOf(body.stale, 0, COPIES_MOST, isKey),
    'keys',
  );
  return { results: readResults(body.results, from, copies), missing: body.missing, stale: body.stale };
}

/**
 * Seals a payload for the keys of `targets` and posts it. Then requests the view again and repeats this for
 * missing or stale keys.
 */
export async function postPayload(
  relay: Relay,
  memory: Memory,
  voice: Voice,
  id: string,
  payload: Uint8Array,
  targets: readonly Target[],
  now: () => number,
): Promise<Result[]> {
  const results: Result[] = [];
  const covered = new Set<string>();
  const own = voice.device?.statement?.key;
  if (own !== undefined) covered.add(own);
  let open = targets;
  for (let round = 0; round <= TOP_UPS; round++) {
    const copies: Envelope[] = [];
    for (const target of open) {
      const keys = target.keys.filter(({ key }) => !covered.has(key));
      for (const { key } of keys) covered.add(key);
      copies.push(...(await sealFor(relay, memory, voice, target, keys, payload)));
    }
    if (copies.length === 0) return results;
    let isWhole = true;
    for (let at = 0; at < copies.length; at += COPIES_MOST) {
      const answer = await postCopies(relay, id, voice.address, copies.slice(at, at + COPIES_MOST));
      results.push(...answer.results);
      const isMissing = answer.missing.some((key) => !covered.has(key));
      isWhole &&= answer.stale.length === 0 && (!isMissing || copies.length > COPIES_MOST);
    }
    if (isWhole) return results;
    open = await judgeMembers(relay, memory, await readGroupView(relay, id), now());
  }
  return results;
}

/** Sends a message to a group, as a member with a device or as a program with an API key that keeps the chain. */
export async function postToGroup(
  relay: Relay,
  memory: Memory,
  voice: Voice,
  id: string,
  statement: Statement,
  now: () => number,
): Promise<Posted> {
  const group: CurrentGroup = await readGroup(relay, memory, id, now());
  const blocked = groupBlock(group, memory);
  must(blocked === null, blocked ?? '', `nothing is sealed for the group: ${blocked}`);
  const last = lastEntry(group.known.state);
  must(last !== null, 'unknown_group');
  const isCounted = voice.device !== null && statement.kind !== 'hello';
  const seq = isCounted ? memory.nextNumber(id) : 0;
  const where = { groupId: id, roster: { epoch: last.epoch, hash: last.hash } };
  const body = bodyBy(voice, statement, where, seq, now());
  const payload = payloadBy(voice, 'group', body);
  const results = await postPayload(relay, memory, voice, id, payload, group.targets, now);
  return { body, payload, results, blocked: blockedOf(group.targets) };
}

const blockedOf = (targets: readonly Target[]) =>
  targets.flatMap(({ address, blocked }) => (blocked === null ? [] : [{ address, why: blocked }]));

/** A bot's post: it keeps no chain, and copies `roster` from the view (section 2). */
export async function postAsBot(
  relay: Relay,
  memory: Memory,
  voice: Voice,
  id: string,
  statement: Statement,
  now: () => number,
): Promise<Posted> {
  const view = await readGroupView(relay, id);
  const targets = await judgeMembers(relay, memory, view, now());
  const body = bodyBy(voice, statement, { groupId: id, roster: view.roster }, 0, now());
  const payload = payloadBy(voice, 'group', body);
  const results = await postPayload(relay, memory, voice, id, payload, targets, now);
  return { body, payload, results, blocked: blockedOf(targets) };
}
