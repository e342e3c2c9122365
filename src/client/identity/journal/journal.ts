/**
 * The durable memory of an identity: accepted messages, seen device lists, folded chains of its groups, sent messages
 * and those in progress. A file of JSON lines beside the identity's own. Each line is appended and synced before the
 * program continues. The file is rewritten without obsolete lines when the identity is opened, and when more than
 * half of it is obsolete. Without a file, everything is in memory.
 */
import { Failure } from '../../../base/failure.ts';
import type { RefusedData } from '../../../base/refused-sentences.ts';
import { nextSentAt } from '../../../messaging/contents/versions.ts';
import { isDirect, type MessageBody, type Outgoing } from '../../../messaging/sending/outgoing.ts';
import type { AddressTrust } from '../../../messaging/trust/address-trust.ts';
import type { FetchedKeys, KeyMemory } from '../../../messaging/trust/directory.ts';
import { REMEMBER_FOR } from '../../../messaging/trust/replay.ts';
import type { AttachedFile } from '../../../protocol/blob/file.ts';
import { BoundedMap } from '../../../protocol/bounded-map.ts';
import { sha256 } from '../../../protocol/crypto.ts';
import {
  concatBytes,
  decodeBase64Url,
  decodeTime,
  encodeBase64Url,
  encodeTime,
} from '../../../protocol/encoding.ts';
import { WireAddress } from '../../../protocol/primitives.ts';
import { membersOf } from '../../../protocol/roster/state.ts';
import { JournalChains } from './chains.ts';
import { Conversations } from './conversations.ts';
import { FileSecret } from './file-secret.ts';
import { ProgramGapRequests } from './gap-requests.ts';
import { JournalGaps } from './gaps.ts';
import { JournalHellos } from './hellos.ts';
import { JournalInvitations } from './invitations.ts';
import { LineFile } from './line-file.ts';
import { Frame, type OutgoingEntry, OutgoingMessages } from './outgoing.ts';
import { Pins } from './pins.ts';
import { QueueEnd } from './queue-end.ts';
import { type ReceivedMessage, ReceivedMessages } from './received.ts';
import { type RefusedEnvelope, RefusedEnvelopes, type RefusedRecord } from './refused.ts';
import { SentMessages } from './sent-messages.ts';
import type { Table } from './table.ts';

/** Precision of the stored time at which the queue was last read to its end, in milliseconds. */
const END_EVERY = 60_000;
/** The most addresses with cached keys. */
const MAX_FETCHED = 1_000;

/** A message being sent. */
export interface Sending extends Outgoing {
  /**
   * Ends an attempt.
   * @param isDone true if nothing is left to send
   */
  end(isDone: boolean): void;
}

export class Journal implements KeyMemory {
  readonly #file: LineFile;
  readonly #received = new ReceivedMessages();
  readonly #fetched = new BoundedMap<string, FetchedKeys>(MAX_FETCHED);
  readonly #pins = new Pins();
  readonly #conversations = new Conversations();
  readonly #outgoing = new OutgoingMessages();
  readonly #queueEnd = new QueueEnd();
  readonly #refused = new RefusedEnvelopes();
  /** Recipients of announcements of the own device list. */
  readonly hellos = new JournalHellos((entry) => this.#add(this.hellos, entry));
  /** Devices whose message numbers are followed. */
  readonly gaps = new JournalGaps((entry) => this.#add(this.gaps, entry));
  /** Invitations to groups. */
  readonly invitations = new JournalInvitations(
    (entry) => this.#add(this.invitations, entry),
    (address) => this.sent(address) > 0,
  );
  /** The groups. */
  readonly chains = new JournalChains((line) => this.#add(this.chains, line));
  /** The secret of which keys of sent files are derived. */
  readonly fileSecret = new FileSecret((entry) => this.#add(this.fileSecret, entry));
  /** Messages that devices have requested again since the start. */
  readonly gapRequests = new ProgramGapRequests();
  /** Messages sent since the start. */
  readonly sentMessages = new SentMessages();
  /** All tables of the file. */
  readonly #tables: readonly Table[] = [
    this.#received,
    this.#pins,
    this.#conversations,
    this.#outgoing,
    this.hellos,
    this.gaps,
    this.invitations,
    this.chains,
    this.fileSecret,
    this.#queueEnd,
    this.#refused,
  ];

  /** @param path null to keep everything in memory */
  constructor(path: string | null, now: number) {
    this.#file = new LineFile(path);
    // A truncated line of a crash was never acted upon: no table reads it.
    for (const line of this.#file.read()) this.#tables.some((table) => wasApplied(table, line));
    this.#trimPins();
    this.#compact(now);
  }

  /** Reports whether a message was accepted before. */
  isDuplicate(message: Pick<ReceivedMessage, 'sender' | 'id' | 'isSigned'>): boolean {
    return this.#received.has(message);
  }

  /** Reports whether a message of that time may have been accepted and already forgotten. */
  mayBeForgotten(sender: string, sentAt: number): boolean {
    return this.#received.mayBeForgotten(sender, sentAt);
  }

  recordReceived(received: ReceivedMessage): void {
    this.#add(this.#received, { received });
  }

  /** The stored knowledge about the device lists and seal keys of an address; null for none, or if it was dropped. */
  load(address: string): AddressTrust | null {
    return this.#pins.get(address);
  }

  save(address: string, trust: AddressTrust): void {
    this.#add(this.#pins, { address, trust });
    if (this.#pins.isDue) this.#trimPins();
  }

  #trimPins(): void {
    this.#pins.trim(this.#partners());
  }

  /** Recipients of the program, most recent first; then members of its groups, which anyone may join. */
  *#partners(): Generator<string> {
    const conversations = this.#conversations.recent();
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
    for (const conversation of this.#conversations.recent()) {
      if (found.length >= most) break;
      // Groups are among them.
      if (WireAddress.safeParse(conversation).success) found.push(conversation);
    }
    return found;
  }

  /** The number of messages sent to an address or into a group. */
  sent(conversation: string): number {
    return this.#conversations.sent(conversation);
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
   * @throws Failure message_differs if it was started with other files
   * @param isCounted true if it gets the next number of the conversation; otherwise 0
   */
  outgoing(written: MessageBody, to: string, isCounted: boolean): Sending {
    const { id } = written;
    const lastSentAt = () => this.#conversations.sentAt(to);
    const save = (next: MessageBody) => {
      const sentAt = Math.max(decodeTime(next.sentAt), lastSentAt() ?? 0);
      if (sentAt !== lastSentAt()) this.#add(this.#conversations, { conversation: to, sentAt });
      this.#add(this.#outgoing, { message: id, to, frame: frameOf(next) });
    };
    const kept = this.#outgoing.frameOf(id, to);
    if (kept && kept.files !== filesDigestOf(written)) throw new Failure('message_differs');
    const end = this.#outgoing.start(id);
    const begun = kept && fieldsOf(kept);
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
          this.#add(this.#conversations, { conversation: to, sent: this.sent(to) + 1 });
          if (body.seq > 0) this.sentMessages.add(to, body);
          this.#add(this.#outgoing, { message: id, isDone });
        }
        end();
      },
    };
  }

  #reserveSeq(conversation: string): number {
    const seq = this.#conversations.seq(conversation) + 1;
    this.#add(this.#conversations, { conversation, seq });
    return seq;
  }

  #addAll(message: string, name: 'sealed' | 'accepted' | 'removed', entries: unknown[]): void {
    if (entries.length > 0) this.#add(this.#outgoing, { message, [name]: entries } as OutgoingEntry);
  }

  /** The time at which the queue was last read to its end, in milliseconds since 1970; null if never. */
  get lastEnd(): number | null {
    return this.#queueEnd.at;
  }

  /** Records that the queue was read to its end. Skipped if the last record is recent. */
  markReadToEnd(at: number): void {
    if (this.lastEnd === null || Math.abs(at - this.lastEnd) >= END_EVERY)
      this.#add(this.#queueEnd, { readToEnd: at });
  }

  /** The last refused envelopes. */
  get refused(): readonly RefusedRecord[] {
    return this.#refused.entries();
  }

  markRefused({ id, from }: RefusedEnvelope, why: RefusedData, now: number): void {
    this.#add(this.#refused, { refused: { id, from }, why, at: now });
  }

  /** Writes several lines with one sync. */
  together(work: () => void): void {
    this.#file.together(work);
    if (this.#file.isDue) this.#compact(Date.now());
  }

  #add<Entry extends object>(table: Table<Entry>, entry: Entry): void {
    this.#file.append(entry);
    table.apply(entry);
    if (this.#file.isDue) this.#compact(Date.now());
  }

  #compact(now: number): void {
    this.#received.forgetBefore(now - REMEMBER_FOR);
    this.#conversations.trim();
    this.#file.compact(() => this.#tables.flatMap((table) => table.entries()));
  }
}

/** Applies a line to a table if it is one of its lines. */
function wasApplied(table: Table, line: unknown): boolean {
  const entry = table.schema.safeParse(line);
  if (entry.success) table.apply(entry.data);
  return entry.success;
}

/** The fields of a body in its stored frame. */
function fieldsOf({ files: _, ...fields }: Frame): Omit<Frame, 'files'> {
  return fields;
}

/** Names the files of a body by their keys; undefined without files. */
function filesDigestOf(body: MessageBody): string | undefined {
  if (body.kind !== 'attachment' || !('files' in body)) return undefined;
  const keys = (body.files as readonly AttachedFile[]).map(({ key }) => decodeBase64Url(key));
  return encodeBase64Url(sha256(concatBytes(...keys)).slice(0, 16));
}

function frameOf(body: MessageBody): Frame {
  const { seq, sentAt, writtenAt, list } = body;
  const files = filesDigestOf(body);
  return Frame.parse({
    seq,
    sentAt,
    ...(writtenAt !== undefined && { writtenAt }),
    ...(list && { list }),
    ...(files !== undefined && { files }),
    ...(!isDirect(body) && { roster: body.roster }),
  });
}
