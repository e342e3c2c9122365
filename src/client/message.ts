/** A received message for a program. */
import { isMessage, type Judged, summaryOf } from '../messaging/contents/all-kinds.ts';
import { extrasOf } from '../messaging/contents/extras.ts';
import { besideText, Ref } from '../messaging/contents/fields.ts';
import { mentionsIn, type PlacedMention } from '../messaging/contents/mentions.ts';
import type { SenderProof } from '../messaging/contents/rights.ts';
import { writtenAtOf } from '../messaging/contents/written.ts';
import type { RememberedGroup } from '../messaging/groups/chain-memory.ts';
import type { MessageBot } from '../messaging/receiving/received.ts';
import type { Verdict } from '../messaging/receiving/verdict.ts';
import { decodeTime } from '../protocol/encoding.ts';
import { toLabel } from '../protocol/label.ts';
import { type Control, controlOf, type Reference, referenceOf } from './controls.ts';
import { filesIn, type MessageFile } from './message-files.ts';
import { encodeRef } from './message-ref.ts';

type AcceptedEnvelope = Pick<Extract<Verdict<RememberedGroup>, { kind: 'accepted' }>, 'received' | 'header'>;

/** Kinds that {@link Control} describes. */
const ABOUT_MESSAGES: ReadonlySet<string> = new Set(['reaction', 'edit', 'delete', 'pin']);

/** An opened message with a proven sender, or one vouched for as the sender allows. */
export interface Message {
  /** The sender's id of the message: with `from`, its permanent identity. */
  id: string;
  /** The sender's address. */
  from: string;
  /** Digest of its text as the sender sent it. */
  digest: string;
  /** A text that names the message, for storing: `reply` and `react` accept it. */
  ref: string;
  /** The group of the message; null for a direct message. */
  groupId: string | null;
  /**
   * 'message': for people to read. 'control': a known kind that people do not see. 'unknown': an unknown kind without
   * a fallback text. Only messages are yielded by default.
   */
  role: 'message' | 'control' | 'unknown';
  /** 'text', or another kind, possibly of a later version. */
  kind: string;
  /**
   * The text to read: of kind 'text', the caption of files, or the fallback of a newer version's message. Null for
   * others, and without a caption.
   */
  text: string | null;
  /** Its files; none in a message of another kind than 'attachment'. */
  files: readonly MessageFile[];
  /** The answered message of the same conversation; null if it is not an answer. */
  replyTo: Reference | null;
  /** People mentioned in the text, by JavaScript string positions and by address. */
  mentions: readonly PlacedMention[];
  /**
   * Lifetime in seconds, counted from reading: the program must erase its own copies. An answer by `reply` disappears
   * as well. Null if it does not disappear, and for a control.
   */
  expires: number | null;
  /** True if its sender marks it as written by another person. */
  forwarded: boolean;
  /**
   * Its action on an earlier message; null for a message, and for other controls. The sender may only change their
   * own messages: if `target` has the same `from`, also compare `proof` and `bot`.
   */
  control: Control | null;
  /** A one-line summary of any kind; empty for controls that people do not see. */
  summary: string;
  /** True if a newer version wrote it, and `text` is its fallback. */
  fromNewerVersion: boolean;
  /** All fields of the message, as the sender wrote them. */
  body: Readonly<Record<string, unknown>>;
  /**
   * 'signed' by a certified device; 'bot': by a bot of the group. Otherwise unsigned, as claimed by the relay: 'api',
   * allowed by the sender's list, or 'token', allowed by the group.
   */
  proof: SenderProof;
  /**
   * The bot that wrote it; null for a person, or if unknown. `key`: of the bot that signed it, Ed25519 in base64url.
   * `token`: id of the group token of an unsigned post: this and its name are claims of the relay.
   */
  bot: { key: string; token: null; name: string } | { key: null; token: string; name: string } | null;
  /**
   * In a group: addresses that had been removed ten minutes before it was written, without the sender's knowledge.
   * They can read it.
   */
  unaware: readonly string[];
  /** In a group: its sender knows of changes that the relay does not show. Such a message is delayed for a day. */
  isBeyond: boolean;
  /** True if a program wrote it. Two bots that answer programs would answer each other without end. */
  automated: boolean;
  /** True if the sender marked it as a first contact. */
  asRequest: boolean;
  /** By the sender's clock. */
  sentAt: Date;
  /** By the relay's clock, bounded by the own clock and earlier messages. */
  receivedAt: Date;
}

function replyIn({ replyTo }: Readonly<Record<string, unknown>>): Reference | null {
  const ref = Ref.safeParse(replyTo).data;
  return ref ? referenceOf(ref) : null;
}

/** The people whom a text, or the caption of files, mentions. */
function mentionsOf(judged: Judged, body: Readonly<Record<string, unknown>>): readonly PlacedMention[] {
  if (judged.as !== 'message' || judged.text === null) return [];
  return mentionsIn(judged.text, besideText.mentions.safeParse(body.mentions).data);
}

/** Its name is the creator's choice; it is cleaned like any other. */
function shownBot(bot: MessageBot | null): Message['bot'] {
  if (!bot) return null;
  if ('key' in bot) return { key: bot.key, token: null, name: toLabel(bot.name) || bot.key };
  return { key: null, token: bot.token, name: bot.name || bot.token };
}

/** A control that its sender may not send is ignored. */
export function isForReader({ role, kind, control }: Message, controls: boolean): boolean {
  if (role === 'message') return true;
  // A kind with invalid fields counts as unknown.
  return controls && (role === 'unknown' || control !== null || !ABOUT_MESSAGES.has(kind));
}

/** @param own the program's address */
export function messageOf(own: string, { received, header }: AcceptedEnvelope): Message {
  const { proof, judged, channel, body, digest, receivedAt } = received;
  const { sender, id } = body;
  const sentAt = decodeTime(body.sentAt);
  const mentions = mentionsOf(judged, body);
  const files = filesIn(judged, body);
  const expires = isMessage(judged) ? extrasOf(body).expires : null;
  const where = channel === 'group' ? { groupId: body.groupId } : { peer: sender };
  return {
    digest,
    ref: encodeRef({
      name: { sender, id, digest },
      where,
      proof,
      hasFiles: files.length > 0,
      sentAt,
      expires,
    }),
    expires,
    replyTo: isMessage(judged) ? replyIn(body) : null,
    mentions,
    files,
    forwarded: isMessage(judged) && body.forwarded === true,
    control: controlOf(own, received),
    id: body.id,
    from: sender,
    groupId: channel === 'group' ? body.groupId : null,
    role: isMessage(judged) ? 'message' : judged.as,
    kind: body.kind,
    text: isMessage(judged) ? judged.text || null : null,
    summary: summaryOf(judged),
    fromNewerVersion: judged.as === 'newer',
    body,
    proof,
    bot: channel === 'group' ? shownBot(received.bot) : null,
    unaware: channel === 'group' ? (received.notes?.unaware ?? []) : [],
    isBeyond: channel === 'group' && (received.notes?.isBeyond ?? false),
    automated: header.automated,
    asRequest: header.asRequest,
    sentAt: new Date(writtenAtOf(body)),
    receivedAt: new Date(receivedAt),
  };
}
