/** Messages for the interface, one page at a time. Related rows are queried once per page. */
import {
  type Disappearing,
  MAX_REACTIONS,
  type Message,
  type Quote,
  type Reaction,
} from '../../bridge/shapes/message.ts';
import { type Mention, Ref } from '../../messaging/contents/fields.ts';
import { drawnEmoji } from '../../messaging/contents/kinds/reaction.ts';
import { mentionsIn } from '../../messaging/contents/mentions.ts';
import { judgeRef } from '../../messaging/contents/refs.ts';
import { bodyNow, claimedFiles, kindOf, textOf } from '../../messaging/contents/shown.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { StoredReaction } from '../cache/annotations.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { PlacedFile } from '../cache/files.ts';
import type { StoredEvent, StoredMessage } from '../cache/message-rows.ts';
import type { Context } from '../context.ts';
import { botLabel, currentSummary, namesOf, toMessageBot } from './conversations.ts';
import { type Deliveries, deliveriesOf } from './deliveries.ts';
import { toMessageFiles } from './files.ts';
import { type PersonRole, personRoleOf, rightsOf } from './message-rights.ts';
import type { Names } from './names.ts';
import { namesakesOf, namesInGroup } from './namesakes.ts';
import { toPreview } from './preview.ts';

/** Number of named people per emoji. */
const MAX_NAMED = 50;
/** Number of people looked up together for one page. */
const MAX_LOOKED_UP = 1_000;

/** Shared data of a page of messages. */
interface Page {
  context: Context;
  conversation: StoredConversation;
  names: Names;
  role: PersonRole;
  deliveries: Deliveries;
  reactions: ReadonlyMap<number, readonly StoredReaction[]>;
  /** Drawn emoji: a few repeat on many messages. */
  drawn: Map<string, string>;
  pinned: ReadonlySet<number>;
  files: ReadonlyMap<number, readonly PlacedFile[]>;
  /** By {@link nameOf}; of several, one that is not imported. */
  quoted: ReadonlyMap<string, StoredMessage>;
}

/** @param messages of one conversation */
export function toMessages(
  context: Context,
  conversation: StoredConversation,
  messages: readonly StoredMessage[],
): Message[] {
  const ids = messages.map(({ id }) => id);
  const refs = messages.flatMap((message) => replyIn(message) ?? []);
  const quoted = context.messages.findAll(conversation.id, refs);
  const own = context.identity.get()?.address ?? '';
  const reactions = context.annotations.reactions(ids);
  const known = namesOf(
    context,
    [...messages, ...quoted].map(({ sender }) => sender).concat(reactors(reactions)),
  );
  const { partner } = conversation;
  // Names are compared in groups only: a direct chat has one other person.
  const group = partner.kind === 'group' ? context.groups.get(partner.groupId) : null;
  const names = namesInGroup(group, known, namesakesOf(context, known));
  const page: Page = {
    context,
    conversation,
    names,
    role: personRoleOf(context, conversation, own),
    deliveries: deliveriesOf(context, conversation, own),
    reactions: Map.groupBy(reactions, ({ messageId }) => messageId),
    drawn: new Map(),
    pinned: context.annotations.pinnedOf(ids),
    files: Map.groupBy(context.files.ofMessages(ids), ({ messageId }) => messageId),
    quoted: new Map(
      quoted
        .toSorted((a, b) => Number(isImported(b)) - Number(isImported(a)))
        .map((message) => [nameOf({ sender: message.sender, id: message.uid }), message]),
    ),
  };
  return messages.map((message) => toMessage(page, message));
}

/** Lifetime of a disappearing message, with its end if it has started. */
export function toDisappearing({ lifetime }: StoredMessage): Disappearing | null {
  if (!lifetime) return null;
  const { expires, beganAt, endsAt } = lifetime;
  return { after: expires, at: beganAt === null ? null : endsAt };
}

/**
 * Display time of sending: the server's time as it counts here. A message that was requested again is placed
 * and dated by its time of writing.
 */
function timeOf({ event, storedAt, receivedAt, isLate, body }: StoredMessage): number {
  if (event) return storedAt;
  return Math.min(storedAt, receivedAt, isLate ? decodeTime(body.sentAt) : storedAt);
}

/** Candidates for the names of people who reacted. */
function reactors(reactions: readonly StoredReaction[]): string[] {
  return [...new Set(reactions.map(({ address }) => address))].slice(0, MAX_LOOKED_UP);
}

const isImported = ({ trust }: StoredMessage) => trust === 'imported';

const nameOf = ({ sender, id }: { sender: string; id: string }) => `${sender}/${id}`;

/** The valid reference of a reply; null for other messages. */
function replyIn({ body, event, deletedBy }: StoredMessage): Ref | null {
  if (event || deletedBy !== null) return null;
  return Ref.safeParse(body.replyTo).data ?? null;
}

/** An event for the interface. */
function toEvent({ names }: Page, event: StoredEvent): NonNullable<Message['event']> {
  return {
    type: event.type,
    who: names(event.address),
    by: event.by === undefined ? null : names(event.by),
    seconds: event.seconds ?? null,
    before: event.before ?? null,
  };
}

function toMessage(page: Page, message: StoredMessage): Message {
  const { context, conversation, names } = page;
  const { event, edit, deletedBy } = message;
  const isDeleted = deletedBy !== null;
  const body = bodyNow(message.body, edit);
  const judged = event || isDeleted ? null : context.contents.judge(conversation.partner.kind, body);
  const text = judged ? textOf(judged) : '';
  const author = names(message.sender);
  return {
    id: String(message.id),
    conversationId: String(message.conversationId),
    sender: author.address,
    author,
    ...(judged ? kindOf(judged) : { kind: event ? 'event' : 'deleted', fields: {} }),
    event: event && toEvent(page, event),
    text,
    files: toMessageFiles(
      message,
      claimedFiles(judged, body),
      page.files.get(message.id) ?? [],
      conversation.state === 'accepted',
      context.now(),
    ),
    preview:
      judged?.as === 'message' && body.kind === 'text' && conversation.state !== 'request'
        ? toPreview(text, body.preview)
        : null,
    sentAt: message.sentAt,
    storedAt: message.storedAt,
    at: timeOf(message),
    state: message.state,
    delivery: page.deliveries.of(message),
    trust: message.trust,
    bot: toMessageBot(message.bot),
    roster: message.roster && { ...message.roster, unaware: message.roster.unaware.map(names) },
    problem: message.problem,
    replyTo: quoteOf(page, message),
    mentions: judged?.as === 'message' ? placedMentions(names, text, body.mentions) : [],
    ...reactionsOf(page, page.reactions.get(message.id) ?? []),
    editedAt: edit && decodeTime(edit.sentAt),
    deletedBy: deletedBy === null ? null : names(deletedBy),
    forwarded: !isDeleted && body.forwarded === true,
    pinned: page.pinned.has(message.id),
    disappears: toDisappearing(message),
    can: rightsOf(page.role, message, context.now()),
  };
}

function quoteOf({ context, conversation, names, quoted }: Page, message: StoredMessage): Quote | null {
  const ref = replyIn(message);
  if (!ref) return null;
  const nothing = { id: null, author: null, bot: null, summary: null };
  const found = quoted.get(nameOf(ref));
  if (!found) return { is: 'missing', ...nothing };
  const id = String(found.id);
  if (found.deletedBy !== null) return { is: 'deleted', ...nothing, id, author: names(found.sender) };
  const { digest } = found;
  // Anyone may have written an imported message under the digest of another one.
  if (isImported(found) && !isImported(message)) return { is: 'missing', ...nothing };
  if (judgeRef(ref, digest === null ? null : { ...ref, digest }) !== 'target')
    return { is: 'other', ...nothing };
  const summary = currentSummary(context.contents, conversation.partner.kind, { ...found, isDeleted: false });
  return { is: 'here', id, author: names(found.sender), bot: botLabel(found.bot, found.trust), summary };
}

/** The fields were validated by the kinds. */
function placedMentions(names: Names, text: string, mentions: unknown): Message['mentions'] {
  const found = mentionsIn(text, (mentions as readonly Mention[] | undefined) ?? []);
  return found.map(({ from, to, address }) => ({ from, to, person: names(address) }));
}

/**
 * Most frequent first, then in order of arrival. An author counts once per emoji, and a person is named once.
 * If there are too many emoji, the person's own are included.
 */
function reactionsOf(
  page: Page,
  reactions: readonly StoredReaction[],
): Pick<Message, 'reactions' | 'moreReactions'> {
  const { names, role } = page;
  const byEmoji = new Map<string, Set<string>>();
  for (const { address, emoji } of reactions) {
    for (const each of emoji) {
      const drawn = page.drawn.get(each) ?? drawnEmoji(each);
      page.drawn.set(each, drawn);
      if (drawn === '') continue;
      const people = byEmoji.get(drawn) ?? new Set();
      byEmoji.set(drawn, people.add(address));
    }
  }
  const { self } = role.place;
  const all = [...byEmoji].toSorted(([, one], [, other]) => other.size - one.size);
  const mine = all.filter(([, people]) => people.has(self)).slice(0, MAX_REACTIONS);
  const others = all.filter(([, people]) => !people.has(self)).slice(0, MAX_REACTIONS - mine.length);
  const shown = new Set([...mine, ...others]);
  const toReaction = ([emoji, people]: [string, Set<string>]): Reaction => {
    const isMine = people.has(self);
    const named = [...(isMine ? [self] : []), ...[...people].filter((each) => each !== self)];
    return { emoji, count: people.size, isMine, people: named.slice(0, MAX_NAMED).map(names) };
  };
  return {
    reactions: all.filter((each) => shown.has(each)).map(toReaction),
    moreReactions: all.length - shown.size,
  };
}
