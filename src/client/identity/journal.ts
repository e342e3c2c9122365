/**
 * The durable memory of an identity: accepted messages, seen device lists, folded chains of its groups, sent messages
 * and those in progress. A file of JSON lines beside the identity's own. Each line is appended and synced before the
 * program continues. The file is rewritten without obsolete lines when the identity is opened, and when more than
 * half of it is obsolete. Without a file, everything is in memory.
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
import { BoundedMap } from '../../protocol/bounded-map.ts';
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { OpaqueId, WireAddress } from '../../protocol/primitives.ts';
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
/**
 * The most conversations with counted messages. The one written to longest ago is forgotten, and counted from 1
 * again.
 */
const MOST_CONVERSATIONS = 50_000;
/** Smaller journals are not rewritten, in characters. */
const WORTH_COMPACTING = 64 * 1024;
/** Precision of the stored time at which the queue was last read to its end, in milliseconds. */
const END_EVERY = 60_000;
/** The most addresses with cached keys. */
const MOST_FETCHED = 1_000;

/** Written by this program: the compiler checks each code and its parameters. */
const Why = z.strictObject({
  code: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
}) as unknown as z.ZodType<RefusedData, RefusedData>;

/** The refused envelope. */
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
  // The latest time named by a body for the conversation.
  z.strictObject({ conversation: z.string(), sentAt: z.number() }),
  OutgoingEntry,
  HellosEntry,
  GapsEntry,
  InvitationEntry,
  ChainLine,
  // The time at which the queue was read to its end.
  z.strictObject({ readToEnd: z.number() }),
  // Only facts: with the sealed contents, a stranger could fill the disk.
  z.strictObject({ refused: RefusedEnvelope, why: Why, at: z.number() }),
]);
type Entry = z.infer<typeof Entry>;

/** A refused envelope with the reason. */
export interface RefusedRecord {
  refused: RefusedEnvelope;
  why: RefusedData;
  /** Milliseconds since 1970. */
  at: number;
}

/** A message being sent. */
export interface Sending extends Outgoing {
  /**
   * Ends an attempt.
   * @param isDone true if nothing is left to send
   */
  end(isDone: boolean): void;
}

export class Journal implements KeyMemory {
  readonly #path: string | null;
  readonly #taken = new TakenMessages();
  readonly #fetched = new BoundedMap<string, FetchedKeys>(MOST_FETCHED);
  readonly #pins = new Pins();
  /** The most recent recipient comes last. */
  readonly #sent = new Map<string, number>();
  readonly #seq = new Map<string, number>();
  readonly #sentAt = new Map<string, number>();
  readonly #outgoing = new OutgoingMessages();
  /** Recipients of announcements of the own device list. */
  readonly hellos = new JournalHellos((entry) => this.#add(entry));
  /** Devices whose message numbers are followed. */
  readonly gaps = new JournalGaps((entry) => this.#add(entry));
  /** Invitations to groups. */
  readonly invitations = new JournalInvitations((entry) => this.#add(entry));
  /** Messages that devices have requested again since the start. */
  readonly asks = new ProgramAsks();
  /** Messages sent since the start. */
  readonly sentMessages = new SentMessages();
  /** The groups. */
  readonly chains = new JournalChains((line) => this.#add(line));
  /** Lines of a batch; null outside of a batch. */
  #together: string[] | null = null;
  #lastEnd: number | null = null;
  #refused: RefusedRecord[] = [];
  /** Characters in the file when it was last rewritten or checked; checked again at twice the size. */
  #size = 0;
  #looksAt = WORTH_COMPACTING;

  /** @param path null to keep everything in memory */
  constructor(path: string | null, now: number) {
    this.#path = path;
    if (path === null) return;
    const { lines, size } = readLines(path);
    for (const line of lines) {
      const entry = Entry.safeParse(line);
      // A truncated line of a crash was never acted upon.
      if (entry.success) this.#apply(entry.data);
    }
    this.#size = size;
    this.#trimPins();
    this.#compact(now);
  }

  /** Reports whether a message was accepted before. */
  wasTaken(message: Pick<Taken, 'sender' | 'id' | 'isSigned'>): boolean {
    return this.#taken.has(message);
  }

  /** Reports whether a message of that time may have been accepted and already forgotten. */
  mayBeForgotten(sender: string, sentAt: number): boolean {
    return this.#taken.mayBeForgotten(sender, sentAt);
  }

  markTaken(taken: Taken): void {
    this.#add({ taken });
  }

  /** The stored knowledge about the device lists and seal keys of an address; null for none, or if it was dropped. */
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

  /** Recipients of the program, most recent first; then members of its groups, which anybody may join. */
  *#partners(): Generator<string> {
    const conversations = [...this.#sent.keys()].reverse();
    yield* conversations;
    for (const group of conversations) {
      const known = this.chains.find(group);
      if (known) yield* membersOf(known.state);
    }
    for (const { state } of this.chains.all()) yield* membersOf(state);
  }

  /**
   * Addresses of recipients, most recent first.
   * @param most number of addresses
   */
  contacts(most: number): string[] {
    const found: string[] = [];
    for (const conversation of [...this.#sent.keys()].reverse()) {
      if (found.length >= most) break;
      // The map contains groups too.
      if (WireAddress.safeParse(conversation).success) found.push(conversation);
    }
    return found;
  }

  /** The number of messages sent to an address or into a group. */
  sent(conversation: string): number {
    return this.#sent.get(conversation) ?? 0;
  }

  /** Seal keys of an address, proven since the start. */
  fetched(address: string): FetchedKeys | null {
    return this.#fetched.get(address) ?? null;
  }

  saveFetched(address: string, fetched: FetchedKeys): void {
    this.#fetched.set(address, fetched);
  }

  /**
   * The stored record of a message being sent. A message started before keeps its number, time and sealed copies.
   * @param written its body; time, number and roster are used only for a new message
   * @param to the recipient's address, or the group's id
   * @param isCounted true if it gets the next number of the conversation; otherwise 0
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
    // Two messages of the same millisecond get different times, to keep their order.
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
          // A message that is never sealed gets no number, so that recipients see no gap.
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

  /** The time at which the queue was last read to its end, in milliseconds since 1970; null if never. */
  get lastEnd(): number | null {
    return this.#lastEnd;
  }

  /** Records that the queue was read to its end. Skipped if the last record is recent. */
  markReadToEnd(at: number): void {
    if (this.#lastEnd === null || Math.abs(at - this.#lastEnd) >= END_EVERY) this.#add({ readToEnd: at });
  }

  /** The last refused envelopes. */
  get refused(): readonly RefusedRecord[] {
    return this.#refused;
  }

  markRefused({ id, from }: RefusedEnvelope, why: RefusedData, now: number): void {
    this.#add({ refused: { id, from }, why, at: now });
  }

  #add(entry: Entry): void {
    // The line break comes first, so that a truncated line does not spoil the next.
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

  /** Writes several lines with one sync. */
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

  /** Rewrites the file if more than half of it is obsolete. */
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

/** Moves an entry to the end of a map ordered by last use. */
function setLast<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}
