/**
 * What an identity remembers from message to message: which were taken, whose device lists were seen, who left which
 * group, how many it has sent. A file of JSON lines beside the identity's own, each appended and synced before anybody is
 * told; it is written anew without what has become old when the identity is opened, and when more than half of it has.
 * Without a file, all is in memory.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { AddressTrust } from '../../messaging/trust/address-trust.ts';
import { REMEMBER_FOR } from '../../messaging/trust/replay.ts';
import { OpaqueId, WireAddress } from '../../protocol/schemas/primitives.ts';
import type { MembersStore, StoredMembers } from '../members.ts';
import { writeDurably } from './file.ts';
import { Pins } from './pins.ts';
import { type Taken, TakenMessages } from './taken.ts';

const MOST_REFUSED = 100;
/** Characters of a reason. */
const MOST_REASON = 200;
/** Groups whose creators are remembered. */
const MOST_CREATORS = 1_000;
/** Conversations whose messages are counted; who was written to longest ago is forgotten, and counted from 1 again. */
const MOST_CONVERSATIONS = 50_000;
/** A journal with fewer lines is left as it is. */
const WORTH_COMPACTING = 1_000;

/** Which envelope was refused. */
const RefusedEnvelope = z.object({ id: OpaqueId, from: WireAddress });
type RefusedEnvelope = z.infer<typeof RefusedEnvelope>;

const Entry = z.union([
  z.strictObject({
    taken: z.strictObject({
      sender: WireAddress,
      id: z.string(),
      isSigned: z.boolean(),
      sentAt: z.number(),
      at: z.number(),
    }),
  }),
  z.strictObject({ forgotten: z.strictObject({ sender: WireAddress.nullable(), upTo: z.number() }) }),
  z.strictObject({ creatorOf: z.string().max(128), creator: WireAddress }),
  z.strictObject({ address: WireAddress, trust: AddressTrust }),
  z.strictObject({ conversation: z.string(), sent: z.number().int() }),
  // Of the members of a group: who is believed from now on and who is no more, and who departed.
  z.strictObject({
    group: z.string().max(128),
    joined: z.array(WireAddress),
    left: z.array(WireAddress),
    departed: z.array(WireAddress),
    at: z.number(),
  }),
  // Facts alone: with what was sealed, a stranger could fill the disk.
  z.strictObject({ refused: RefusedEnvelope, reason: z.string(), at: z.number() }),
]);
type Entry = z.infer<typeof Entry>;

/** An envelope that was set aside, with the reason. */
export interface RefusedRecord {
  refused: RefusedEnvelope;
  reason: string;
  /** Milliseconds since 1970. */
  at: number;
}

export class Journal implements MembersStore {
  readonly #path: string | null;
  readonly #taken = new TakenMessages();
  readonly #creators = new Map<string, string>();
  readonly #pins = new Pins();
  /** Who was written to last comes last. */
  readonly #sent = new Map<string, number>();
  readonly #members = new Map<string, StoredMembers>();
  #refused: RefusedRecord[] = [];
  /** Of the file; looked at again when it has doubled. */
  #lines = 0;
  #looksAt = WORTH_COMPACTING;

  /** @param path null to keep everything in memory */
  constructor(path: string | null, now: number) {
    this.#path = path;
    if (path === null) return;
    const lines = readLines(path);
    for (const line of lines) {
      const entry = Entry.safeParse(line);
      // A line that a crash has cut off was never acted upon.
      if (entry.success) this.#apply(entry.data);
    }
    this.#lines = lines.length;
    this.#trimPins();
    this.#compact(now);
  }

  /** Whether a message was taken by its reader before. */
  wasTaken(message: Pick<Taken, 'sender' | 'id' | 'isSigned'>): boolean {
    return this.#taken.has(message);
  }

  /** Whether a message of that time may have been taken so long ago, and so many others since, that it is forgotten. */
  mayBeForgotten(sender: string, sentAt: number): boolean {
    return this.#taken.mayBeForgotten(sender, sentAt);
  }

  markTaken(taken: Taken): void {
    this.#add({ taken });
  }

  /** Who made a group, as it was seen first. */
  creatorOf(group: string): string | null {
    return this.#creators.get(group) ?? null;
  }

  /** Groups do not change their creator: the first that is seen stays. Nothing is remembered beyond 1,000 groups. */
  pinCreator(group: string, creator: string): void {
    if (!this.#creators.has(group) && this.#creators.size < MOST_CREATORS)
      this.#add({ creatorOf: group, creator });
  }

  /** What is remembered of the device lists and seal keys of an address; null if nothing was, or if it was dropped. */
  load(address: string): AddressTrust | null {
    return this.#pins.get(address);
  }

  save(address: string, trust: AddressTrust): void {
    this.#add({ address, trust });
    if (this.#pins.isDue) this.#trimPins();
  }

  #trimPins(): void {
    this.#pins.trim(this.#partners());
  }

  /** Whom the program wrote to, who was written to last first; then who is in its groups, where anybody may join. */
  *#partners(): Generator<string> {
    const conversations = [...this.#sent.keys()].reverse();
    yield* conversations;
    for (const group of conversations) yield* this.#members.get(group)?.believed ?? [];
    for (const { believed } of this.#members.values()) yield* believed;
  }

  /** How many messages were sent to an address or into a group. */
  sent(conversation: string): number {
    return this.#sent.get(conversation) ?? 0;
  }

  markSent(conversation: string, sent: number): void {
    this.#add({ conversation, sent });
  }

  /** How many groups' members are remembered. */
  get groupCount(): number {
    return this.#members.size;
  }

  /** Who is believed to be in a group, and who departed; null for one that was never seen. */
  membersOf(group: string): StoredMembers | null {
    return this.#members.get(group) ?? null;
  }

  saveMembers(group: string, memory: StoredMembers): void {
    this.#add(changeOf(group, this.membersOf(group), memory));
  }

  /** The envelopes that were set aside last. */
  get refused(): readonly RefusedRecord[] {
    return this.#refused;
  }

  markRefused({ id, from }: RefusedEnvelope, reason: string, now: number): void {
    this.#add({ refused: { id, from }, reason: reason.slice(0, MOST_REASON), at: now });
  }

  #add(entry: Entry): void {
    // The line break comes first, so that a line that was cut off does not spoil the next.
    if (this.#path !== null) {
      appendFileSync(this.#path, `\n${JSON.stringify(entry)}`, { mode: 0o600, flush: true });
    }
    this.#apply(entry);
    if (this.#path !== null && ++this.#lines > this.#looksAt) this.#compact(Date.now());
  }

  /** Writes the file anew if more than half of it is of no use any more. */
  #compact(now: number): void {
    this.#taken.forgetBefore(now - REMEMBER_FOR);
    for (const conversation of [...this.#sent.keys()].slice(0, -MOST_CONVERSATIONS))
      this.#sent.delete(conversation);
    const live = this.#entries();
    if (this.#path !== null && this.#lines > WORTH_COMPACTING && this.#lines > 2 * live.length) {
      writeDurably(this.#path, live.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      this.#lines = live.length;
    }
    this.#looksAt = Math.max(WORTH_COMPACTING, 2 * live.length);
  }

  #apply(entry: Entry): void {
    if ('taken' in entry) this.#taken.add(entry.taken);
    else if ('forgotten' in entry) this.#taken.setForgotten(entry.forgotten);
    else if ('creator' in entry) this.#creators.set(entry.creatorOf, entry.creator);
    else if ('trust' in entry) this.#pins.set(entry.address, entry.trust);
    else if ('group' in entry) this.#members.set(entry.group, changed(this.membersOf(entry.group), entry));
    else if ('conversation' in entry) {
      this.#sent.delete(entry.conversation);
      this.#sent.set(entry.conversation, entry.sent);
    } else this.#refused = [...this.#refused, entry].slice(-MOST_REFUSED);
  }

  #entries(): Entry[] {
    return [
      ...this.#pins.entries().map(([address, trust]) => ({ address, trust })),
      ...Array.from(this.#sent, ([conversation, sent]) => ({ conversation, sent })),
      ...Array.from(this.#members, ([group, memory]) => changeOf(group, null, memory)),
      ...this.#refused,
      ...Array.from(this.#creators, ([creatorOf, creator]) => ({ creatorOf, creator })),
      ...this.#taken.limits().map((forgotten) => ({ forgotten })),
      ...this.#taken.entries().map((taken) => ({ taken })),
    ];
  }
}

type MembersChange = Extract<Entry, { group: string }>;

function changeOf(group: string, before: StoredMembers | null, after: StoredMembers): MembersChange {
  const [was, known] = [new Set(before?.believed), new Set(before?.departed)];
  const is = new Set(after.believed);
  return {
    group,
    joined: after.believed.filter((address) => !was.has(address)),
    left: [...was].filter((address) => !is.has(address)),
    departed: after.departed.filter((address) => !known.has(address)),
    at: after.changedAt,
  };
}

function changed(before: StoredMembers | null, { joined, left, departed, at }: MembersChange): StoredMembers {
  const gone = new Set(left);
  return {
    believed: [...(before?.believed.filter((address) => !gone.has(address)) ?? []), ...joined],
    departed: [...(before?.departed ?? []), ...departed],
    changedAt: at,
  };
}

function readLines(path: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line);
      } catch {
        return null;
      }
    });
}
