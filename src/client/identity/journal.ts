/**
 * What an identity remembers from message to message: which were taken, whose device lists were seen, what the chains of
 * its groups come to, what it has sent and what is on its way. A file of JSON lines beside the identity's own, each appended and synced before anybody is
 * told; it is rewritten without what has become old when the identity is opened, and when more than half of it has.
 * Without a file, all is in memory.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeDurably } from '../../base/node/durable-file.ts';
import type { RefusedData } from '../../base/refused-sentences.ts';
import { nextSentAt } from '../../messaging/contents/versions.ts';
import { isDirect, type MessageBody, type Outgoing } from '../../messaging/sending/outgoing.ts';
import { AddressTrust } from '../../messaging/trust/address-trust.ts';
import type { FetchedKeys, KeyMemory } from '../../messaging/trust/directory.ts';
import { REMEMBER_FOR } from '../../messaging/trust/replay.ts';
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { OpaqueId, WireAddress } from '../../protocol/primitives.ts';
import { BoundedMap } from '../../protocol/recent-map.ts';
import { membersOf } from '../../protocol/roster/state.ts';
import { ProgramAsks } from './asks.ts';
import { ChainLine, JournalChains } from './chains.ts';
import { GapsEntry, JournalGaps } from './gaps.ts';
import { HellosEntry, JournalHellos } from './hellos.ts';
import { InvitationEntry, JournalInvitations } from './invitations.ts';
import { Frame, OutgoingEntry, OutgoingMessages } from './outgoing.ts';
import { Pins } from './pins.ts';
import { SentMessages } from './sent-messages.ts';
import { type Taken, TakenMessages } from './taken.ts';

const MOST_REFUSED = 100;
/** Conversations whose messages are counted; who was written to longest ago is forgotten, and counted from 1 again. */
const MOST_CONVERSATIONS = 50_000;
/** A smaller journal is left as it is, in characters. */
const WORTH_COMPACTING = 64 * 1024;
/** How exactly it is remembered when the queue was read to its end, in milliseconds. */
const END_EVERY = 60_000;
/** Addresses whose fetched keys are kept at hand. */
const MOST_FETCHED = 1_000;

/** Written by this program: each code and its parameters are checked by the compiler. */
const Why = z.strictObject({
  code: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
}) as unknown as z.ZodType<RefusedData, RefusedData>;

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
  z.strictObject({ address: WireAddress, trust: AddressTrust }),
  z.strictObject({ conversation: z.string(), sent: z.number().int() }),
  z.strictObject({ conversation: z.string(), seq: z.number().int() }),
  // The latest time that a body for the conversation has named.
  z.strictObject({ conversation: z.string(), sentAt: z.number() }),
  OutgoingEntry,
  HellosEntry,
  GapsEntry,
  InvitationEntry,
  ChainLine,
  // When the queue was read to its end.
  z.strictObject({ readToEnd: z.number() }),
  // Facts alone: with what was sealed, a stranger could fill the disk.
  z.strictObject({ refused: RefusedEnvelope, why: Why, at: z.number() }),
]);
type Entry = z.infer<typeof Entry>;

/** An envelope that was set aside, and why. */
export interface RefusedRecord {
  refused: RefusedEnvelope;
  why: RefusedData;
  /** Milliseconds since 1970. */
  at: number;
}

/** A message on its way. */
export interface Sending extends Outgoing {
  /** Ends an attempt. @param isDone whether nothing of it is left to be sent */
  end(isDone: boolean): void;
}

export class Journal implements KeyMemory {
  readonly #path: string | null;
  readonly #taken = new TakenMessages();
  readonly #fetched = new BoundedMap<string, FetchedKeys>(MOST_FETCHED);
  readonly #pins = new Pins();
  /** Who was written to last comes last. */
  readonly #sent = new Map<string, number>();
  readonly #seq = new Map<string, number>();
  readonly #sentAt = new Map<string, number>();
  readonly #outgoing = new OutgoingMessages();
  /** Whom to tell of the own device list. */
  readonly hellos = new JournalHellos((entry) => this.#add(entry));
  /** Devices whose messages are followed by their numbers. */
  readonly gaps = new JournalGaps((entry) => this.#add(entry));
  /** Invitations to groups. */
  readonly invitations = new JournalInvitations((entry) => this.#add(entry));
  /** What devices have asked for again since the program began. */
  readonly asks = new ProgramAsks();
  /** What was sent since then. */
  readonly sentMessages = new SentMessages();
  /** The groups. */
  readonly chains = new JournalChains((line) => this.#add(line));
  /** Lines that are written together; null while each is written by itself. */
  #together: string[] | null = null;
  #lastEnd: number | null = null;
  #refused: RefusedRecord[] = [];
  /** Characters of the file; looked at again when it has doubled. */
  #size = 0;
  #looksAt = WORTH_COMPACTING;

  /** @param path null to keep everything in memory */
  constructor(path: string | null, now: number) {
    this.#path = path;
    if (path === null) return;
    const { lines, size } = readLines(path);
    for (const line of lines) {
      const entry = Entry.safeParse(line);
      // A line that a crash has cut off was never acted upon.
      if (entry.success) this.#apply(entry.data);
    }
    this.#size = size;
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
    for (const group of conversations) {
      const known = this.chains.find(group);
      if (known) yield* membersOf(known.state);
    }
    for (const { state } of this.chains.all()) yield* membersOf(state);
  }

  /** Addresses that were written to, who was written to last first. @param most how many are wanted */
  contacts(most: number): string[] {
    const found: string[] = [];
    for (const conversation of [...this.#sent.keys()].reverse()) {
      if (found.length >= most) break;
      // Groups are counted among them.
      if (WireAddress.safeParse(conversation).success) found.push(conversation);
    }
    return found;
  }

  /** How many messages were sent to an address or into a group. */
  sent(conversation: string): number {
    return this.#sent.get(conversation) ?? 0;
  }

  /** Seal keys of an address, proven since this program has run. */
  fetched(address: string): FetchedKeys | null {
    return this.#fetched.get(address) ?? null;
  }

  saveFetched(address: string, fetched: FetchedKeys): void {
    this.#fetched.set(address, fetched);
  }

  /**
   * Where a message is kept while it is on its way. One that was begun before goes on with the number and time that it
   * had, and with the copies that were sealed.
   * @param written its body; what it says of time, number and roster is for one that was not begun before
   * @param to the recipient's address, or the group's id
   * @param isCounted whether it takes the next number of the conversation; false leaves it 0
   */
  outgoing(written: MessageBody, to: string, isCounted: boolean): Sending {
    const { id } = written;
    const end = this.#outgoing.start(id);
    const lastSentAt = () => this.#sentAt.get(to) ?? null;
    const save = (next: MessageBody) => {
      const sentAt = Math.max(decodeTime(next.sentAt), lastSentAt() ?? 0);
      if (sentAt !== lastSentAt()) this.#add({ conversation: to, sentAt });
      this.#add({ message: id, to, frame: frameOf(next) });
    };
    const begun = this.#outgoing.frameOf(id, to);
    // Two that are written within one millisecond have an order, too.
    const frame = begun ?? { sentAt: encodeTime(nextSentAt(decodeTime(written.sentAt), lastSentAt(), null)) };
    let body: MessageBody = isDirect(written)
      ? { ...written, ...frame }
      : { ...written, ...frame, roster: begun?.roster ?? written.roster };
    if (!begun) this.together(() => save(body));
    return {
      get body() {
        return body;
      },
      get lastSentAt() {
        return lastSentAt();
      },
      saveBody: (next) => {
        this.together(() => {
          // A message that is never sealed takes no number: nobody misses it.
          body = isCounted && next.seq === 0 ? { ...next, seq: this.#reserveSeq(to) } : next;
          save(body);
        });
        return body;
      },
      pendingRecipients: null,
      copies: () => this.#outgoing.copiesOf(id),
      addCopies: (envelopes) => this.#addAll(id, 'sealed', [...envelopes]),
      acceptCopies: (keys) => this.#addAll(id, 'accepted', [...keys]),
      removeCopies: (keys) => this.#addAll(id, 'removed', [...keys]),
      end: (isDone) => {
        if (isDone) {
          this.#add({ conversation: to, sent: this.sent(to) + 1 });
          if (body.seq > 0) this.sentMessages.add(to, body);
          this.#add({ message: id, isDone });
        }
        end();
      },
    };
  }

  #reserveSeq(conversation: string): number {
    const seq = (this.#seq.get(conversation) ?? 0) + 1;
    this.#add({ conversation, seq });
    return seq;
  }

  #addAll(message: string, name: 'sealed' | 'accepted' | 'removed', entries: unknown[]): void {
    if (entries.length > 0) this.#add({ message, [name]: entries } as OutgoingEntry);
  }

  /** When the queue was last read to its end, in milliseconds since 1970; null if it never was. */
  get lastEnd(): number | null {
    return this.#lastEnd;
  }

  /** Notes that the queue was read to its end; one that was read to its end a moment ago is left at that. */
  markReadToEnd(at: number): void {
    if (this.#lastEnd === null || Math.abs(at - this.#lastEnd) >= END_EVERY) this.#add({ readToEnd: at });
  }

  /** The envelopes that were set aside last. */
  get refused(): readonly RefusedRecord[] {
    return this.#refused;
  }

  markRefused({ id, from }: RefusedEnvelope, why: RefusedData, now: number): void {
    this.#add({ refused: { id, from }, why, at: now });
  }

  #add(entry: Entry): void {
    // The line break comes first, so that a line that was cut off does not spoil the next.
    if (this.#path !== null) {
      const line = `\n${JSON.stringify(entry)}`;
      if (this.#together) this.#together.push(line);
      else this.#append(this.#path, line);
    }
    this.#apply(entry);
    if (this.#together) return;
    if (this.#path !== null && this.#size > this.#looksAt) this.#compact(Date.now());
  }

  #append(path: string, lines: string): void {
    appendFileSync(path, lines, { mode: 0o600, flush: true });
    this.#size += lines.length;
  }

  /** Writes what belongs together at once: with one sync. */
  together(work: () => void): void {
    if (this.#together) {
      work();
      return;
    }
    const lines: string[] = [];
    this.#together = lines;
    try {
      work();
    } finally {
      this.#together = null;
      if (this.#path !== null && lines.length > 0) this.#append(this.#path, lines.join(''));
    }
    if (this.#path !== null && this.#size > this.#looksAt) this.#compact(Date.now());
  }

  /** Writes the file again if more than half of it is of no use any more. */
  #compact(now: number): void {
    this.#taken.forgetBefore(now - REMEMBER_FOR);
    for (const counts of [this.#sent, this.#seq, this.#sentAt])
      for (const conversation of [...counts.keys()].slice(0, -MOST_CONVERSATIONS))
        counts.delete(conversation);
    if (this.#path === null || this.#size <= WORTH_COMPACTING) return;
    const live = this.#entries()
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
    if (this.#size > 2 * live.length) {
      writeDurably(this.#path, live);
      this.#size = live.length;
    }
    this.#looksAt = Math.max(WORTH_COMPACTING, 2 * live.length);
  }

  #apply(entry: Entry): void {
    if ('taken' in entry) this.#taken.add(entry.taken);
    else if ('forgotten' in entry) this.#taken.setForgotten(entry.forgotten);
    else if ('trust' in entry) this.#pins.set(entry.address, entry.trust);
    else if ('roster' in entry || 'rosterOf' in entry) this.chains.apply(entry);
    else if ('readToEnd' in entry) this.#lastEnd = entry.readToEnd;
    else if ('hellos' in entry) this.hellos.apply(entry);
    else if ('invitation' in entry || 'usedInvitation' in entry) this.invitations.apply(entry);
    else if ('follows' in entry || 'unfollows' in entry) this.gaps.apply(entry);
    else if ('message' in entry) this.#outgoing.apply(entry);
    else if ('seq' in entry) setLast(this.#seq, entry.conversation, entry.seq);
    else if ('sentAt' in entry) setLast(this.#sentAt, entry.conversation, entry.sentAt);
    else if ('conversation' in entry) setLast(this.#sent, entry.conversation, entry.sent);
    else this.#refused = [...this.#refused, entry].slice(-MOST_REFUSED);
  }

  #entries(): Entry[] {
    return [
      ...this.#pins.entries().map(([address, trust]) => ({ address, trust })),
      ...Array.from(this.#sent, ([conversation, sent]) => ({ conversation, sent })),
      ...Array.from(this.#seq, ([conversation, seq]) => ({ conversation, seq })),
      ...Array.from(this.#sentAt, ([conversation, sentAt]) => ({ conversation, sentAt })),
      ...this.#outgoing.entries(),
      ...this.hellos.entries(),
      ...this.gaps.entries(),
      ...this.invitations.entries(),
      ...this.chains.lines(),
      ...(this.#lastEnd === null ? [] : [{ readToEnd: this.#lastEnd }]),
      ...this.#refused,
      ...this.#taken.limits().map((forgotten) => ({ forgotten })),
      ...this.#taken.entries().map((taken) => ({ taken })),
    ];
  }
}

function frameOf(body: MessageBody): Frame {
  const { seq, sentAt, writtenAt, list } = body;
  return Frame.parse({
    seq,
    sentAt,
    ...(writtenAt !== undefined && { writtenAt }),
    ...(list && { list }),
    ...(!isDirect(body) && { roster: body.roster }),
  });
}

function readLines(path: string): { lines: unknown[]; size: number } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { lines: [], size: 0 };
    throw error;
  }
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return JSON.parse(line);
      } catch {
        return null;
      }
    });
  return { lines, size: text.length };
}

/** Puts an entry last, where the one that was set longest ago comes first. */
function setLast<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}
