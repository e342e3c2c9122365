import { judgeShown, readHistories, readShownDevices, type ShownDevices, type Target } from './directory.ts';
import { type EntryName, isAddress, isEntryName, isFields, isListOf } from './forms.ts';
import type { KnownGroup, Memory } from './memory.ts';
import { ANSWER_BYTES, mustAnswer, Problem, type Relay } from './relay.ts';
import { isEntry } from './roster-entry.ts';
import { hasDroppedSigner } from './roster-evidence.ts';
import { type Folded, foldEntry } from './roster-fold.ts';
import { lastEntry, membersOf } from './roster-state.ts';

/** A group as the relay shows it, checked against its chain (section 11). */

/** The answer of `GET /groups/:id`. */
export interface GroupView {
  id: string;
  name: string;
  creator: string | null;
  roster: EntryName;
  members: string[];
  devices: Map<string, ShownDevices>;
}

export async function readGroupView(relay: Relay, id: string): Promise<GroupView> {
  const { body } = await relay.call(`/groups/${id}`, { mostBytes: ANSWER_BYTES.group });
  return readView(body, id);
}

/** Checks that a view belongs to the requested group. */
export function readView(body: Record<string, unknown>, id: string): GroupView {
  const { name, creator, roster, members, memberDevices } = body;
  mustAnswer(body.id === id && typeof name === 'string', 'another group');
  mustAnswer(isEntryName(roster) && isListOf(members, 0, 5_000, isAddress), 'members');
  mustAnswer((creator === null || isAddress(creator)) && isFields(memberDevices), 'group');
  const devices = Object.entries(memberDevices).map(
    ([address, shown]) => [address, readShownDevices(shown)] as const,
  );
  return { id, name, creator, roster, members, devices: new Map(devices) };
}

const PAGES_MOST = 1_000;
const LISTS_A_FOLD = 200;

/** Reads the new entries and folds them. An invalid entry ends the chain, and is reported. */
export async function readChain(relay: Relay, memory: Memory, id: string, now: number): Promise<KnownGroup> {
  const group = memory.group(id);
  group.problem = null;
  for (let page = 0; page < PAGES_MOST; page++) {
    const after = lastEntry(group.state)?.epoch ?? 0;
    const { body } = await relay.call(`/groups/${id}/roster?after=${after}&limit=100`, {
      mostBytes: ANSWER_BYTES.chain,
    });
    mustAnswer(isListOf(body.entries, 0, 100, isEntry) && typeof body.more === 'boolean', 'entries');
    for (const entry of body.entries) {
      const folded = await foldAsking(relay, memory, group, entry, now);
      if (folded.is === 'folded') continue;
      group.problem = folded.is === 'refused' ? folded.reason : folded.is;
      return group;
    }
    if (!body.more || body.entries.length === 0) return group;
  }
  return group;
}

/** Folds an entry; device lists that it names are read and proven first. */
async function foldAsking(
  relay: Relay,
  memory: Memory,
  group: KnownGroup,
  entry: Parameters<typeof foldEntry>[1],
  now: number,
): Promise<Folded> {
  const lists = (address: string, sequence: number) => memory.list(address, sequence);
  for (let count = 0; count < LISTS_A_FOLD; count++) {
    const folded = foldEntry(group.state, entry, now, lists);
    if (folded.is !== 'wait' || folded.for !== 'list') return folded;
    if (!(await learnList(relay, memory, folded.address, folded.sequence, now))) return folded;
  }
  return { is: 'refused', reason: 'too_many_lists' };
}

/** Reads one list of an address for a chain. Returns whether it is valid. */
export async function learnList(
  relay: Relay,
  memory: Memory,
  address: string,
  sequence: number,
  now: number,
): Promise<boolean> {
  const found = await readHistories(relay, [{ address, after: sequence - 1, upTo: sequence }]);
  const list = found.get(address)?.find((one) => one.sequence === sequence);
  if (list !== undefined) await memory.learnList(address, list, now);
  return memory.list(address, sequence) !== undefined;
}

/** A current group: its chain, its public fields, and the keys for each member. */
export interface CurrentGroup {
  known: KnownGroup;
  view: GroupView;
  targets: Target[];
}

/** Reason why nothing is sealed for a group now; null if sending is possible. */
export function groupBlock({ known, view }: Omit<CurrentGroup, 'targets'>, memory: Memory): string | null {
  if (known.split !== null) return 'split';
  if (known.problem !== null) return known.problem;
  const last = lastEntry(known.state);
  if (last?.epoch !== view.roster.epoch || last.hash !== view.roster.hash) return 'another_roster';
  const members = membersOf(known.state);
  const isSame = members.length === view.members.length && members.every((one) => view.members.includes(one));
  if (!isSame) return 'other_members';
  return hasDroppedSigner(known.state, (address) => memory.of(address).pin) ? 'dropped_signer' : null;
}

/** Reads view and chain, and judges the devices of all members. */
export async function readGroup(
  relay: Relay,
  memory: Memory,
  id: string,
  now: number,
): Promise<CurrentGroup> {
  const view = await readGroupView(relay, id);
  const known = await readChain(relay, memory, id, now);
  return { known, view, targets: await judgeMembers(relay, memory, view, now) };
}

/** Keys to seal to, for each member with published devices. */
export async function judgeMembers(
  relay: Relay,
  memory: Memory,
  view: GroupView,
  now: number,
): Promise<Target[]> {
  const targets: Target[] = [];
  for (const [address, shown] of view.devices) {
    if (view.members.includes(address)) targets.push(await judgeShown(relay, memory, address, shown, now));
  }
  return targets;
}

/** Reads the chain again for a message that cannot be judged yet. A deleted group changes nothing. */
export async function refreshChain(relay: Relay, memory: Memory, id: string, now: number): Promise<void> {
  try {
    await readChain(relay, memory, id, now);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
