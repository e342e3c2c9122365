/**
 * Hellos between members about a group's chain, so that a relay which hides its end is detected
 * (docs/protocol.md, 'hello'). Requests and answers go to one member each, after a random time so that the
 * time reveals nothing, at most once a day. In a large group only some random members do so. A
 * removal, or the proof of a split, goes to the whole group at once, and a removal also to a few who were removed.
 *
 * Nothing of this is stored: lost ones are repeated.
 */
import { BoundedMap } from '../../protocol/bounded-map.ts';
import { openEntry } from '../../protocol/roster/entry.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import { helloBytesOf, MAX_HELLO_BYTES, MAX_HELLO_ITEMS } from '../contents/kinds/hello.ts';
import type { Acquaintances } from '../greeting/greetings.ts';
import { type HelloSending, sendHello } from '../greeting/send-hello.ts';
import { placeOf, type RememberedGroup } from './chain-memory.ts';
import { removedIn } from './own-removal.ts';
import type { GroupMessenger } from './parts.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Maximum random delay, in milliseconds. */
const WITHIN = 10 * MINUTE;
/** Members of a group who request, answer or pass on: about this many in total. */
const SPEAKERS = 20;
/** Limit of remembered pairs of a person and a group. */
const MAX_SENT = 10_000;
/** Limit of delayed hellos. Further ones are dropped. */
const MAX_WAITING = 200;

export interface GroupHelloParts<G extends RememberedGroup> {
  sending: HelloSending;
  people: Pick<Acquaintances, 'relationOf'>;
  /** The newest complete entries of a group, ascending. */
  whole(groupId: string): readonly RosterEntry[];
  /** The current group; null if it is no longer known. */
  find(groupId: string): G | null;
  /** Seals a `hello` with these fields for all members, and posts it. */
  post(groupId: string, fields: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** True if this is a program. */
  automated: boolean;
  /** From 0 up to 1. */
  random: () => number;
  /**
   * Schedules one call after some milliseconds.
   * @returns the function that cancels it
   */
  later(milliseconds: number, call: () => void): () => void;
}

export class GroupHellos<G extends RememberedGroup> implements GroupMessenger<G> {
  readonly #parts: GroupHelloParts<G>;
  /** Last hello to someone about a group, in milliseconds since 1970. */
  readonly #sent = new BoundedMap<string, number>(MAX_SENT);
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(parts: GroupHelloParts<G>) {
    this.#parts = parts;
  }

  /** Cancels all delayed hellos. Work that ends later plans no further ones. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  requestEntry(group: G, sender: string): void {
    this.#plan('request', group, sender, () => []);
  }

  answer(group: G, sender: string, named: RosterReference): void {
    this.#plan('answer', group, sender, () => entriesAfter(this.#parts.whole(group.groupId), named.epoch));
  }

  spread({ groupId }: G, entry: RosterEntry): void {
    // A fault, or an unreachable relay, must not undo earlier work.
    void this.#parts.post(groupId, { entries: [entry] }).catch(() => undefined);
  }

  inform(group: G, entry: RosterEntry): void {
    const { people, whole } = this.#parts;
    const entries = entriesUpTo(whole(group.groupId), entry);
    for (const address of removedIn(entry).slice(0, SPEAKERS)) {
      if (people.relationOf(address) === 'other') continue;
      void this.#send(group.groupId, address, entries).catch(() => undefined);
    }
  }

  passOn(group: G, entry: RosterEntry): void {
    if (this.#parts.random() < SPEAKERS / group.state.memberCount) this.spread(group, entry);
  }

  #plan(what: string, { groupId, state }: G, address: string, entries: () => RosterEntry[]): void {
    if (this.#isClosed) return;
    const { sending, people, random, later } = this.#parts;
    const key = `${what} ${groupId} ${address}`;
    const relation = people.relationOf(address);
    if (address === sending.author.address || relation === 'other') return;
    if (relation === 'none' && random() >= SPEAKERS / state.memberCount) return;
    if (sending.now() - (this.#sent.get(key) ?? -DAY) < DAY || this.#waiting.size >= MAX_WAITING) return;
    this.#sent.set(key, sending.now());
    const cancel = later(Math.floor(random() * WITHIN), () => {
      this.#waiting.delete(cancel);
      void this.#send(groupId, address, entries()).catch(() => this.#sent.delete(key));
    });
    this.#waiting.add(cancel);
  }

  async #send(groupId: string, address: string, entries: RosterEntry[]): Promise<void> {
    const { sending, automated, find } = this.#parts;
    const group = find(groupId);
    if (!group) return;
    const fields = { group: groupId, roster: placeOf(group.state), ...(entries.length > 0 && { entries }) };
    await sendHello(sending, address, fields, automated);
  }
}

/**
 * The entries after an epoch, oldest first, limited to one hello.
 * @param whole ascending
 */
function entriesAfter(whole: readonly RosterEntry[], epoch: number): RosterEntry[] {
  const found: RosterEntry[] = [];
  for (const entry of whole) {
    if ((openEntry(entry)?.json.epoch ?? 0) <= epoch) continue;
    const more = [...found, entry];
    if (more.length > MAX_HELLO_ITEMS || helloBytesOf(more) > MAX_HELLO_BYTES) break;
    found.push(entry);
  }
  return found;
}

/**
 * The newest entries up to one, oldest first, limited to one hello.
 * @param whole ascending
 */
function entriesUpTo(whole: readonly RosterEntry[], last: RosterEntry): RosterEntry[] {
  const end = whole.findIndex(({ signature }) => signature === last.signature);
  const found: RosterEntry[] = [];
  for (const entry of whole.slice(0, end + 1).toReversed()) {
    const more = [entry, ...found];
    if (more.length > MAX_HELLO_ITEMS || helloBytesOf(more) > MAX_HELLO_BYTES) break;
    found.unshift(entry);
  }
  return found;
}
