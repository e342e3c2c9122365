/**
 * What is stored of a message: as the engine has it, and as a row of the table. What one statement alone takes or gives
 * stands beside it.
 */
import type { FailureData } from '../../base/failure.ts';
import type { MessageState, TimelineEvent, Trust } from '../../bridge/shapes.ts';
import type { Lifetime } from '../../messaging/contents/disappearing.ts';
import type { RosterNotes } from '../../messaging/receiving/group-verdict.ts';
import type { MessageBot } from '../../messaging/receiving/received.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import type { Suite } from '../../protocol/envelope.ts';
import type { StoredEdit } from './annotations.ts';
import { botIn } from './groups.ts';

/** Something that happened in a conversation, told in its timeline. */
export interface StoredEvent {
  /** What they became, or: 'missing', something that they sent may be missing. */
  type: TimelineEvent['type'];
  address: string;
  /** Who made them so, or made them leave, where that is known. */
  by?: string;
  /** Of a change of the timer: after how many seconds messages disappear; 0 for never. */
  seconds?: number;
}

/** Where a message stands in its timeline. */
export interface Place {
  place: number;
  late: number;
}

/** That a message disappears. Times are milliseconds since 1970. */
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
  /** Whether it stands where it was written, and not where it came. */
  isLate: boolean;
  state: MessageState;
  trust: Trust;
  /** What wrote it in the place of a person; null for a person, and where that is not known. */
  bot: MessageBot | null;
  problem: FailureData | null;
  /** What is told beside it, by the chain of its group; null for nothing. */
  roster: RosterNotes | null;
  /** Not null: no message, and only its times mean anything. */
  event: StoredEvent | null;
  /** 16 bytes in base64url, by which others name it together with its sender. */
  uid: string;
  /** The device that signed it; null where none did. */
  deviceId: string | null;
  /** Of the body as it was signed; null until it is sealed. */
  digest: string | null;
  /** As it counts here, in milliseconds since 1970. */
  receivedAt: number;
  /** Of the copy that came; of what was sent the lowest; null until it is sealed. */
  suite: Suite | null;
  /** The newest edit; null if there is none. */
  edit: StoredEdit | null;
  /** Who erased it for everyone: then only the frame of the body is left. */
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

/** The message in a row. */
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
