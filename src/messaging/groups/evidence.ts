/**
 * Entries that another member attaches to a `hello`. One that is only missing from the relay's chain is
 * posted. A proof that the relay shows two chains stops sending (docs/protocol.md, 'Rosters'). Others have no
 * effect: one liar must not silence a group.
 */
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { entryHash, openEntry } from '../../protocol/roster/entry.ts';
import { type Evidence, judgeEvidence } from '../../protocol/roster/evidence.ts';
import { type RosterBody, type RosterEntry, readKind } from '../../protocol/roster/forms.ts';
import { judgeJoin } from '../../protocol/roster/join.ts';
import { RelayRefusal } from '../relay.ts';
import { type ActParts, isOutdatedList } from './act.ts';
import type { GroupNotes, RememberedGroup } from './chain-memory.ts';
import { contextOf, foldProven, listsNamed } from './follow.ts';

/** Outcome for an entry. */
export type Weighed =
  /** A new proof of a split, not rejected by the person. */
  | 'proof'
  /** Now part of the chain. */
  | 'useful'
  | 'useless';

export interface WeighParts<G extends RememberedGroup> extends ActParts<G> {
  note(group: G, notes: GroupNotes): G;
}

/**
 * Judges an entry beside the chain, after the relay's chain was read.
 * @param read the current group according to the relay
 * @throws RelayRefusal, RelayUnreachable, and the errors of `read`
 */
export async function weigh<G extends RememberedGroup>(
  parts: WeighParts<G>,
  group: G,
  entry: RosterEntry,
  read: () => Promise<G>,
): Promise<Weighed> {
  let current = group;
  let verdict = await judge(parts, current, entry);
  if (verdict === 'shown') return 'useful';
  if (verdict === 'nothing') return 'useless';
  current = await read();
  verdict = await judge(parts, current, entry);
  if (verdict === 'follows') verdict = await post(parts, current, entry, read);
  if (verdict === 'shown') return 'useful';
  current = parts.memory.find(group.groupId) ?? current;
  const { notes } = current;
  // A relay must not be able to hide it by an unusual refusal.
  if (verdict === 'follows' && isChange(entry)) parts.note(current, { ...notes, missing: entry });
  if (verdict !== 'split' || notes.split || notes.decided.includes(entryHash(entry))) return 'useless';
  parts.note(current, { ...notes, split: entry });
  return 'proof';
}

async function judge<G extends RememberedGroup>(
  parts: ActParts<G>,
  group: G,
  entry: RosterEntry,
): Promise<Evidence> {
  await parts.lists.prove(listsNamed(group.state, entry));
  return judgeAgainstChain(parts, group, entry);
}

/** Judges an entry beside the stored chain, with the proven device lists. */
export function judgeAgainstChain<G extends RememberedGroup>(
  { lists, memory, now }: Pick<ActParts<G>, 'lists' | 'memory' | 'now'>,
  group: G,
  entry: RosterEntry,
): Evidence {
  const hashAt = (epoch: number) => memory.hashAt(group.groupId, epoch) ?? '';
  const verdict = judgeEvidence(group.state, entry, hashAt, contextOf(lists, now()));
  const by = openEntry(entry)?.json.by;
  // The chain may not name the newer list yet. Until then, a device removed by its owner must not silence a
  // group.
  return verdict === 'split' && by && lists.isDropped(by, entry.deviceId) ? 'nothing' : verdict;
}

/**
 * Posts an entry that follows the last one. If the relay stores it, it was missing; a refused change is a
 * proof.
 * @returns 'follows' if the relay neither stored it nor showed another entry in its place
 */
async function post<G extends RememberedGroup>(
  parts: ActParts<G>,
  group: G,
  entry: RosterEntry,
  read: () => Promise<G>,
): Promise<Evidence> {
  if (!isValidNow(parts, group, entry)) return 'nothing';
  try {
    await parts.keeper.appendEntry(group.groupId, entry);
  } catch (error) {
    if (!(error instanceof RelayRefusal)) throw error;
    // Another entry came first, visible in the next read of the chain.
    if (error.code === 'roster_conflict') return judge(parts, await read(), entry);
    if (error.code !== 'roster_refused') return 'follows';
    if (!isChange(entry)) return 'nothing';
    const json = openEntry(entry)?.json;
    // A device that was removed since could sign this: the relay is right to refuse it.
    const isOld = isOutdatedList(error) && json && (await parts.lists.hasNewer(json.by, json.list));
    return isOld ? 'nothing' : 'split';
  }
  const current = parts.memory.find(group.groupId);
  if (current?.state.hash === group.state.hash) {
    const { state, accepted } = await foldProven(parts, current.state, [entry]);
    if (accepted.length > 0) parts.memory.advance(state, accepted);
  }
  return 'shown';
}

/**
 * Reports whether an entry would be valid if it were issued now. The relay accepts an old join from an owner: an
 * expired link or ticket must not become valid because an owner's device passes it on.
 */
function isValidNow<G extends RememberedGroup>(
  { lists, now }: ActParts<G>,
  { state }: G,
  entry: RosterEntry,
): boolean {
  const body = bodyOf(entry);
  if (body?.kind !== 'join') return true;
  const issued = encodeTime(Math.max(now(), decodeTime(body.issued)));
  return judgeJoin(state, { ...body, issued }, contextOf(lists, now())) === null;
}

function isChange(entry: RosterEntry): boolean {
  return bodyOf(entry)?.kind === 'change';
}

function bodyOf(entry: RosterEntry): RosterBody | null {
  const opened = openEntry(entry);
  const body = opened && readKind(opened.json);
  return body === 'newer' ? null : body;
}
