/**
 * A message as a program gets it.
 */
import { isMessage, summaryOf } from '../messaging/contents/all-kinds.ts';
import { extrasOf } from '../messaging/contents/extras.ts';
import { Ref } from '../messaging/contents/fields.ts';
import { TextContent } from '../messaging/contents/kinds/text.ts';
import { mentionsIn, type PlacedMention } from '../messaging/contents/mentions.ts';
import type { SenderProof } from '../messaging/contents/rights.ts';
import { writtenAtOf } from '../messaging/contents/written.ts';
import type { RememberedGroup } from '../messaging/groups/chain-memory.ts';
import type { MessageBot } from '../messaging/receiving/received.ts';
import type { Verdict } from '../messaging/receiving/verdict.ts';
import { decodeTime } from '../protocol/encoding.ts';
import { toLabel } from '../protocol/label.ts';
import { type Control, controlOf, type Reference, referenceOf } from './controls.ts';
import { encodeRef } from './message-ref.ts';

type AcceptedEnvelope = Pick<Extract<Verdict<RememberedGroup>, { kind: 'accepted' }>, 'received' | 'header'>;

/** Kinds that {@link Control} stands for. */
const ABOUT_MESSAGES: ReadonlySet<string> = new Set(['reaction', 'edit', 'delete', 'pin']);

/** A message that was opened and whose sender is proven, or vouched for as far as the sender allows. */
export interface Message {
  /** The sender's id of the message: with `from`, its identity for ever. */
  id: string;
  /** The sender's address. */
  from: string;
  /** Of its words as the sender sent them. */
  digest: string;
  /** One text that names the message, to be kept: `reply` and `react` take it in its place. */
  ref: string;
  /** The group that it was posted into; null for a direct message. */
  groupId: string | null;
  /**
   * 'message': for people to read. 'control': a kind that this version knows and that people do not see. 'unknown': a kind
   * that it does not know, and nothing to show instead. Only messages are yielded, unless controls were asked for.
   */
  role: 'message' | 'control' | 'unknown';
  /** 'text', or another kind, which may be of a later version. */
  kind: string;
  /** The text to read: of kind 'text', or what a message of a newer version says to show instead. Null for others. */
  text: string | null;
  /** The message that it answers, of the same conversation; null if it answers none. */
  replyTo: Reference | null;
  /** People whom the text mentions, by places in it as JavaScript counts them, and by address. */
  mentions: readonly PlacedMention[];
  /**
   * After how many seconds it is to disappear, from when it was read: what a program keeps of it, it erases itself. An answer
   * by `reply` disappears as well. Null if it stays, and for a control.
   */
  expires: number | null;
  /** Whether its sender says that another person wrote it. */
  forwarded: boolean;
  /**
   * What it does to a message that was sent before; null for a message, and for other controls. Its sender may do that to
   * messages of their own: where `target` has the same `from`, also compare `proof` and `bot`.
   */
  control: Control | null;
  /** One line that says what it is, whatever its kind; empty for what people do not see. */
  summary: string;
  /** Whether a newer version wrote it, and `text` is what it says to show instead. */
  fromNewerVersion: boolean;
  /** All fields of the message, as the sender wrote them. */
  body: Readonly<Record<string, unknown>>;
  /**
   * 'signed' by a certified device; 'bot': by a bot of the group; else unsigned, the relay's word: 'api', which the sender's
   * list allows, or 'token', which the group does.
   */
  proof: SenderProof;
  /**
   * What wrote it in the place of a person; null for a person, and where that is not known. `key`: of the bot that signed it, Ed25519 in
   * base64url. `token`: id of the group token that posted what nobody signed: that and its name are the relay's word.
   */
  bot: { key: string; token: null; name: string } | { key: null; token: string; name: string } | null;
  /**
   * Of a group: addresses that had been removed ten minutes before it was written, without its sender knowing. They can
   * read it.
   */
  unaware: readonly string[];
  /** Of a group: its sender knows of changes that the relay does not show. Such a message is held for a day. */
  isBeyond: boolean;
  /** Whether a program wrote it. A bot that answers programs may meet one that answers it, without end. */
  automated: boolean;
  /** Whether the sender marked it as a first contact. */
  asRequest: boolean;
  /** By the sender's clock. */
  sentAt: Date;
  /** By the relay's clock, as far as the own clock and what came before allow. */
  receivedAt: Date;
}

function replyIn({ replyTo }: Readonly<Record<string, unknown>>): Reference | null {
  const ref = Ref.safeParse(replyTo).data;
  return ref ? referenceOf(ref) : null;
}

/** Its name is the creator's choice, and shown like any other. */
function shownBot(bot: MessageBot | null): Message['bot'] {
  if (!bot) return null;
  if ('key' in bot) return { key: bot.key, token: null, name: toLabel(bot.name) || bot.key };
  return { key: null, token: bot.token, name: bot.name || bot.token };
}

/** A control that its sender may not send is none. */
export function isForReader({ role, kind, control }: Message, controls: boolean): boolean {
  if (role === 'message') return true;
  // What has wrong fields is of a kind that nobody knows.
  return controls && (role === 'unknown' || control !== null || !ABOUT_MESSAGES.has(kind));
}

/** @param own the program's address */
export function messageOf(own: string, { received, header }: AcceptedEnvelope): Message {
  const { proof, judged, channel, body, digest, receivedAt } = received;
  const { sender, id } = body;
  const sentAt = decodeTime(body.sentAt);
  const text = isMessage(judged) ? TextContent.safeParse(body).data : undefined;
  const expires = isMessage(judged) ? extrasOf(body).expires : null;
  const where = channel === 'group' ? { groupId: body.groupId } : { peer: sender };
  return {
    digest,
    ref: encodeRef({ name: { sender, id, digest }, where, proof, sentAt, expires }),
    expires,
    replyTo: isMessage(judged) ? replyIn(body) : null,
    mentions: text ? mentionsIn(text.text, text.mentions) : [],
    forwarded: isMessage(judged) && body.forwarded === true,
    control: controlOf(own, received),
    id: body.id,
    from: sender,
    groupId: channel === 'group' ? body.groupId : null,
    role: isMessage(judged) ? 'message' : judged.as,
    kind: body.kind,
    text: isMessage(judged) ? judged.text : null,
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
