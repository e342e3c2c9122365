/**
 * What members tell each other about a group's chain, so that a relay which hides its end is noticed (docs/protocol.md,
 * 'hello'). Questions and answers go to one member each, after a random time so that nothing is learnt from when, and at
 * most once a day; of a large group some of many ask and answer. What all are to see, a removal or the proof of a split,
 * goes to the group at once.
 *
 * Nothing of this is kept: what is lost is asked or said again.
 */
import { RecentMap } from '../../protocol/recent-map.ts';
import { openEntry } from '../../protocol/roster/entry.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { helloBytesOf, MOST_HELLO_BYTES, MOST_HELLO_ITEMS } from '../contents/kinds/hello.ts';
import type { Acquaintances } from '../greeting/greetings.ts';
import { type HelloSending, sendHello } from '../greeting/send-hello.ts';
import { placeOf, type RememberedGroup } from './chain-memory.ts';
import type { GroupTalk } from './parts.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Said within this time, in milliseconds. */
const WITHIN = 10 * MINUTE;
/** Members of a group who ask or answer one, or tell all what each of them was told: about this many of all. */
const SPEAKERS = 20;
/** Pairs of a person and a group that are remembered as told. */
const MOST_TOLD = 10_000;
/** What waits for its random time. More is not said. */
const MOST_WAITING = 200;

export interface GroupHelloParts<G extends RememberedGroup> {
  sending: HelloSending;
  people: Pick<Acquaintances, 'standingOf'>;
  /** The newest entries of a group that are kept whole, ascending. */
  whole(groupId: string): readonly RosterEntry[];
  /** The group as it is now; null if it is not known any more. */
  find(groupId: string): G | null;
  /** Seals a `hello` with these fields for all members, and posts it. */
  post(groupId: string, fields: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Whether this is a program. */
  automated: boolean;
  /** From 0 up to 1. */
  random: () => number;
  /** Calls once, after some milliseconds. @returns what cancels it */
  later(milliseconds: number, call: () => void): () => void;
}

export class GroupHellos<G extends RememberedGroup> implements GroupTalk<G> {
  readonly #parts: GroupHelloParts<G>;
  /** When someone was told or asked about a group last, in milliseconds since 1970. */
  readonly #told = new RecentMap<string, number>(MOST_TOLD);
  readonly #waiting = new Set<() => void>();

  constructor(parts: GroupHelloParts<G>) {
    this.#parts = parts;
  }

  /** Ends: what waits is not said. */
  close(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  ask(group: G, sender: string): void {
    this.#plan('ask', group, sender, () => []);
  }

  answer(group: G, sender: string, named: RosterReference): void {
    this.#plan('answer', group, sender, () => entriesAfter(this.#parts.whole(group.groupId), named.epoch));
  }

  spread({ groupId }: G, entry: RosterEntry): void {
    // A fault or a relay that is away must not undo what was done before.
    void this.#parts.post(groupId, { entries: [entry] }).catch(() => undefined);
  }

  passOn(group: G, entry: RosterEntry): void {
    if (this.#parts.random() < SPEAKERS / group.state.memberCount) this.spread(group, entry);
  }

  #plan(what: string, { groupId, state }: G, address: string, entries: () => RosterEntry[]): void {
    const { sending, people, random, later } = this.#parts;
    const key = `${what} ${groupId} ${address}`;
    const standing = people.standingOf(address);
    if (address === sending.author.address || standing === 'other') return;
    if (standing === 'none' && random() >= SPEAKERS / state.memberCount) return;
    if (sending.now() - (this.#told.get(key) ?? -DAY) < DAY || this.#waiting.size >= MOST_WAITING) return;
    this.#told.set(key, sending.now());
    const cancel = later(Math.floor(random() * WITHIN), () => {
      this.#waiting.delete(cancel);
      void this.#say(groupId, address, entries()).catch(() => this.#told.delete(key));
    });
    this.#waiting.add(cancel);
  }

  async #say(groupId: string, address: string, entries: RosterEntry[]): Promise<void> {
    const { sending, automated, find } = this.#parts;
    const group = find(groupId);
    if (!group) return;
    const fields = { group: groupId, roster: placeOf(group.state), ...(entries.length > 0 && { entries }) };
    await sendHello(sending, address, fields, automated);
  }
}

/** The entries after an epoch, oldest first, as many as fit into one hello. @param whole ascending */
function entriesAfter(whole: readonly RosterEntry[], epoch: number): RosterEntry[] {
  const found: RosterEntry[] = [];
  for (const entry of whole) {
    if ((openEntry(entry)?.json.epoch ?? 0) <= epoch) continue;
    const more = [...found, entry];
    if (more.length > MOST_HELLO_ITEMS || helloBytesOf(more) > MOST_HELLO_BYTES) break;
    found.push(entry);
  }
  return found;
}
