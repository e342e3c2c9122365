/**
 * Reads the history of the cache as records, a page at a time: the caller decides when the engine's thread continues.
 */

import {
  type AccountRecord,
  type FileRecord,
  HISTORY_VERSION,
  type HistoryRecord,
  type MessageRecord,
} from '../../archive/history-records.ts';
import { signedTrust } from '../../messaging/trust/address-trust.ts';
import { importEd25519 } from '../../protocol/crypto.ts';
import { deviceIdOf } from '../../protocol/device-id.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { HistoryMessageRow } from '../cache/history-rows.ts';
import { fromRow, type Place } from '../cache/message-rows.ts';
import type { Context } from '../context.ts';

/** Rows of one page: a few milliseconds. Two are a block of messages of a backup. */
const PAGE = 128;

/** A place in a timeline, of the message that was read last. */
export type TimelineCursor = Place & { id: number };

/** A sealed file on the disk. */
export interface FileOnDisk {
  /** Its number there. */
  id: number;
  /** Its length there. */
  bytes: number;
  record: FileRecord;
}

export class HistoryReader {
  readonly #context: Context;
  /** Names of conversations that were read. */
  readonly #names = new Map<number, string | null>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** The first record. @throws Error before the account is set up */
  account(): AccountRecord {
    const { historyRows, identity, now } = this.#context;
    const own = identity.get();
    if (!own) throw new Error('a history without an account');
    return {
      type: 'account',
      version: HISTORY_VERSION,
      address: own.address,
      handle: own.handle,
      displayName: own.displayName,
      at: now(),
      lastArrival: historyRows.ends().last,
    };
  }

  /** Everything but messages and files, in the order in which it is merged. */
  *people(): Generator<HistoryRecord[]> {
    yield* this.#contacts();
    for (const id of this.#context.historyRows.groupIds()) yield this.#group(id);
    yield* this.#settings();
    yield* this.#conversations();
  }

  *#contacts(): Generator<HistoryRecord[]> {
    const { contacts, historyRows } = this.#context;
    for (let after = 0; ; ) {
      const rows = historyRows.contacts(after, PAGE);
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
      yield rows.map((row) => ({
        type: 'contact',
        address: row.address,
        handle: row.handle,
        displayName: row.display_name,
        handleVerified: row.handle_verified === 1,
        markLost: row.mark_lost === 1,
        firstSeenAt: row.first_seen_at,
        hadChat: row.had_chat !== 0,
        timer: contacts.timer(row.address),
        trust: this.#trust(row.address),
        profile: this.#profile(row.address),
      }));
    }
  }

  #group(id: number): HistoryRecord[] {
    const group = this.#context.groups.get(id);
    if (!group) return [];
    const { groupId, state, notes, joined } = group;
    const missing = notes.split ?? notes.missing;
    const newest = state.hash === null ? null : { epoch: state.epoch, hash: state.hash, joined };
    const profile = this.#profile(groupId);
    return [{ type: 'group', groupId, name: state.name, pin: notes.pin ?? newest, missing, profile }];
  }

  #trust(address: string) {
    const trust = this.#context.contacts.trust(address);
    return trust && signedTrust(trust);
  }

  #profile(owner: string) {
    const face = this.#context.faces.get(owner);
    if (!face) return null;
    const { name, about, picture, sentAt, id, sender } = face;
    return { name, about, picture, version: { sentAt, id, sender } };
  }

  /** The device of this cache: elsewhere its settings count as set on another one. */
  #deviceId(): string {
    const own = this.#context.identity.get();
    if (!own) throw new Error('a history without an account');
    return encodeBase64Url(deviceIdOf(importEd25519(own.deviceSeed).publicKey));
  }

  *#settings(): Generator<HistoryRecord[]> {
    for (let after = ''; ; ) {
      const rows = this.#context.historyRows.settings(after, PAGE);
      const last = rows.at(-1);
      if (!last) return;
      after = last.key;
      yield rows.map((row) => ({
        type: 'setting',
        key: row.key,
        value: JSON.parse(row.value) as unknown,
        sentAt: row.sent_at,
        id: encodeBase64Url(row.uid),
        deviceId: row.device_id ?? this.#deviceId(),
        by: row.set_by,
      }));
    }
  }

  *#conversations(): Generator<HistoryRecord[]> {
    const { historyRows, ownReads, receipts } = this.#context;
    for (let after = 0; ; ) {
      const rows = historyRows.conversations(after, PAGE);
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
      for (const { id, name, ...row } of rows) {
        yield [
          {
            type: 'conversation',
            conversation: name,
            state: row.state,
            beforeBlock: row.before_block,
            draft: row.draft,
            draftMentions: JSON.parse(row.draft_mentions) as { from: number; to: number; address: string }[],
            updatedAt: row.updated_at,
            readUpTo: row.last_read_id,
            readAt: ownReads.version(name),
          },
          ...receipts.of(id).map(({ address, deviceId, reported: { delivered, read } }) => ({
            type: 'receipt' as const,
            conversation: name,
            address,
            deviceId,
            delivered: delivered.map(([from, upTo]): [number, number] => [from, upTo]),
            read: read.map(([from, upTo]): [number, number] => [from, upTo]),
          })),
        ];
      }
    }
  }

  /** Messages by numbers, ascending: from one on, and before another one. */
  *messages(from: number, to: number): Generator<MessageRecord[]> {
    for (let next = from; next < to; ) {
      const rows = this.#context.historyRows.messages(next, to, PAGE);
      const last = rows.at(-1);
      if (!last) return;
      next = last.id + 1;
      yield this.#toRecords(rows);
    }
  }

  /** One page of a chat in the order of its timeline, after a place. */
  timeline(
    conversationId: number,
    after: TimelineCursor | null,
  ): { records: MessageRecord[]; next: TimelineCursor | null } {
    const start = { place: Number.MIN_SAFE_INTEGER, late: 0, id: Number.MIN_SAFE_INTEGER };
    const rows = this.#context.historyRows.timeline(conversationId, after ?? start, PAGE);
    const last = rows.at(-1);
    const next = last ? { place: last.place, late: last.late, id: last.id } : null;
    return { records: this.#toRecords(rows), next };
  }

  /** Files whose bytes are on this disk. */
  *files(): Generator<FileOnDisk[]> {
    for (let after = 0; ; ) {
      const rows = this.#context.historyRows.files(after, PAGE);
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
      yield rows.map((row) => ({
        id: row.id,
        bytes: row.blob_length,
        record: {
          type: 'file',
          key: encodeBase64Url(row.file_key),
          digest: encodeBase64Url(row.digest),
          size: row.size,
        },
      }));
    }
  }

  #nameOf(conversationId: number): string {
    const known = this.#names.get(conversationId);
    const name = known ?? this.#context.historyRows.nameOf(conversationId);
    this.#names.set(conversationId, name);
    if (name === null) throw new Error('a message without its conversation');
    return name;
  }

  #toRecords(rows: readonly HistoryMessageRow[]): MessageRecord[] {
    const { reactions, pins, edits } = this.#context.annotations.all(rows.map(({ id }) => id));
    const reactionsOf = Map.groupBy(reactions, ({ messageId }) => messageId);
    const editsOf = Map.groupBy(edits, ({ messageId }) => messageId);
    const pinOf = new Map(pins.map(({ messageId, ...pin }) => [messageId, pin]));
    return rows.map((row) => {
      const message = fromRow(row);
      const { sender, trust, deviceId, digest, suite, body, deletedBy } = message;
      return {
        type: 'message',
        conversation: this.#nameOf(message.conversationId),
        arrival: row.id,
        place: row.place,
        late: row.late,
        sender,
        id: message.uid,
        sentAt: message.sentAt,
        storedAt: message.storedAt,
        receivedAt: message.receivedAt,
        state: message.state === 'received' || message.state === 'sent' ? message.state : 'unsent',
        ...{ trust, deviceId, digest, suite, body, deletedBy },
        bot: message.bot,
        roster: message.roster && { ...message.roster, unaware: [...message.roster.unaware] },
        mentionsMe: row.mentions_me === 1,
        edits: (editsOf.get(row.id) ?? []).map(({ version, edit }) => ({
          version,
          text: edit.text,
          mentions: edit.mentions,
        })),
        reactions: (reactionsOf.get(row.id) ?? []).map(({ voice, address, emoji, version }) => ({
          ...{ voice, address, version },
          emoji: [...emoji],
        })),
        pin: pinOf.get(row.id) ?? null,
        lifetime: message.lifetime,
        event: message.event,
      };
    });
  }
}
