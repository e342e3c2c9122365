/**
 * The stored form of a message: as the engine's type, and as a row of the table. The input and output of
 * single statements are beside them.
 */
import type { FailureData } from '../../base/failure.ts';
import type { MessageState, TimelineEvent, Trust } from '../../bridge/shapes/message.ts';
import type { Lifetime } from '../../messaging/contents/disappearing.ts';
import type { RosterNotes } from '../../messaging/receiving/group-verdict.ts';
import type { MessageBot } from '../../messaging/receiving/received.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { Suite } from '../../protocol/envelope-form.ts';
import type { StoredEdit } from './annotations.ts';
import { botIn } from './group-chains.ts';

/** An event in a conversation, shown in its timeline. */
export interface StoredEvent {
  /** The new trust, or 'missing': messages of this sender may be missing. */
  type: TimelineEvent['type'];
  address: string;
  /** The person who changed their role or removed them, if known. */
  by?: string;
  /** New timer of a timer change, in seconds; 0 for never. */
  seconds?: number;
  /** Name before a change of it. */
  before?: string;
}

/** Place of a message in its timeline. */
export interface Place {
  place: number;
  late: number;
}

/** Lifetime of a disappearing message. Times are milliseconds since 1970. */
export interface StoredLifetime extends Lifetime {
  /** Seconds. */
  expires: number;
}

export interface StoredMessage {
  id: number;
  conversationId: number;
  sender: string;
  body: MessageBody;
  sentAt: number;
  storedAt: number;
  /** True if it is placed by the time of writing instead of the time of arrival. */
  isLate: boolean;
  state: MessageState;
  trust: Trust;
  /** The bot that wrote it; null for a person or if unknown. */
  bot: MessageBot | null;
  problem: FailureData | null;
  /** Notes from the chain of its group; null for none. */
  roster: RosterNotes | null;
  /** Not null: an event and no message. Only the times are meaningful then. */
  event: StoredEvent | null;
  /** 16 bytes in base64url. Others refer to the message by it and its sender. */
  uid: string;
  /** The device that signed it; null for unsigned messages. */
  deviceId: string | null;
  /** Digest of the signed body; null until it is sealed. */
  digest: string | null;
  /** Time of arrival in milliseconds since 1970, as counted here. */
  receivedAt: number;
  /** Suite of the received copy; for a sent message the lowest of its copies. Null until it is sealed. */
  suite: Suite | null;
  /** The newest edit; null if there is none. */
  edit: StoredEdit | null;
  /** Author of the deletion for everyone. Only the frame of the body is left then. */
  deletedBy: string | null;
  /** Null if it stays. */
  lifetime: StoredLifetime | null;
}

export interface MessageRow {
  id: number;
  conversation_id: number;
  sender: string;
  body: string;
  sent_at: number;
  stored_at: number;
  late: number;
  state: MessageState;
  trust: Trust;
  bot: string | null;
  problem: string | null;
  roster: string | null;
  event: string | null;
  uid: Uint8Array;
  device_id: string | null;
  digest: string | null;
  received_at: number;
  suite: Suite | null;
  edit: string | null;
  deleted_by: string | null;
  expires: number | null;
  began_at: number | null;
  ends_at: number | null;
}

/** Parses a row into a message. */
export function fromRow(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    sender: row.sender,
    body: JSON.parse(row.body) as MessageBody,
    sentAt: row.sent_at,
    storedAt: row.stored_at,
    isLate: row.late > 0,
    state: row.state,
    trust: row.trust,
    bot: botIn(row.bot),
    problem: row.problem === null ? null : (JSON.parse(row.problem) as FailureData),
    roster: row.roster === null ? null : (JSON.parse(row.roster) as RosterNotes),
    event: row.event === null ? null : (JSON.parse(row.event) as StoredEvent),
    uid: encodeBase64Url(row.uid),
    deviceId: row.device_id,
    digest: row.digest,
    receivedAt: row.received_at,
    suite: row.suite,
    edit: row.edit === null ? null : (JSON.parse(row.edit) as StoredEdit),
    deletedBy: row.deleted_by,
    lifetime:
      row.expires === null || row.ends_at === null
        ? null
        : { expires: row.expires, beganAt: row.began_at, endsAt: row.ends_at },
  };
}
