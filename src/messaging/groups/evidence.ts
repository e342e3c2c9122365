/**
 * Entries that another member hands over in a `hello`. One that simply misses in the chain that the relay shows is
 * posted. One that proves that the relay shows two chains stops sending (docs/protocol.md, 'Rosters'). Nothing else does:
 * one liar must not silence a group.
 */

import { entryHash, openEntry } from '../../protocol/roster/entry.ts';
import { type Evidence, judgeEvidence } from '../../protocol/roster/evidence.ts';
import { type RosterEntry, readKind } from '../../protocol/roster/forms.ts';
import { RelayRefusal } from '../relay.ts';
import { type ActParts, isOfOldList } from './act.ts';
import { RememberedChain } from './chain.ts';
import type { RememberedGroup } from './chain-memory.ts';
import { contextOf, foldProven, listsNamed } from './follow.ts';

/**
 * Judges an entry beside the chain, after what the relay shows was read.
 * @param read the group as the relay shows it now
 * @returns whether it proves a split that was not known, and that the person has not decided against
 * @throws RelayRefusal, RelayUnreachable, and what `read` throws
 */
export async function weigh<G extends RememberedGroup>(
  parts: ActParts<G>,
  group: G,
  entry: RosterEntry,
  read: () => Promise<G>,
): Promise<boolean> {
  let current = group;
  let verdict = await judge(parts, current, entry);
  if (verdict === 'shown' || verdict === 'nothing') return false;
  current = await read();
  verdict = await judge(parts, current, entry);
  if (verdict === 'follows') verdict = await post(parts, current, entry, read);
  if (verdict !== 'split') return false;
  const { notes } = current;
  if (notes.split || notes.decided.includes(entryHash(entry))) return false;
  parts.memory.note(current, { ...notes, split: entry });
  return true;
}

async function judge<G extends RememberedGroup>(
  { lists, memory, now }: ActParts<G>,
  group: G,
  entry: RosterEntry,
): Promise<Evidence> {
  await lists.prove(listsNamed(group.state, entry));
  const chain = new RememberedChain(memory, group);
  return judgeEvidence(group.state, entry, (epoch) => chain.hashAt(epoch), contextOf(lists, now()));
}

/** Posts an entry that follows the last one. If the relay takes it, it was missing; a change that it refuses is a proof. */
async function post<G extends RememberedGroup>(
  parts: ActParts<G>,
  group: G,
  entry: RosterEntry,
  read: () => Promise<G>,
): Promise<Evidence> {
  try {
    await parts.keeper.appendEntry(group.groupId, entry);
  } catch (error) {
    if (!(error instanceof RelayRefusal) || error.temporary) throw error;
    // Another entry came first, which the next look at the chain shows.
    if (error.code === 'roster_conflict') return judge(parts, await read(), entry);
    if (error.code !== 'roster_refused' || !isChange(entry)) return 'nothing';
    const json = openEntry(entry)?.json;
    // A device that was removed since could sign this: the relay is right to refuse it.
    const isOld = isOfOldList(error) && json && (await parts.lists.hasNewer(json.by, json.list));
    return isOld ? 'nothing' : 'split';
  }
  const current = parts.memory.find(group.groupId);
  if (current?.state.hash === group.state.hash) {
    const { state, taken } = await foldProven(parts, current.state, [entry]);
    if (taken.length > 0) parts.memory.advance(state, taken);
  }
  return 'shown';
}

function isChange(entry: RosterEntry): boolean {
  const opened = openEntry(entry);
  const body = opened && readKind(opened.json);
  return body !== null && body !== 'newer' && body.kind === 'change';
}
