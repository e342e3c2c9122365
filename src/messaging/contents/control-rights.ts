/** Rights of senders, for bots, groups and the target of a control (docs/protocol.md, 'Rights'). */
import type { Authorship, Place } from './authorship.ts';
import { isUnsignedMessage } from './message-kinds.ts';

/** Reason for ignoring a content; null if it is allowed. */
export type RightsProblem =
  /** The kind requires a person's signature. */
  | 'not_by_a_person'
  /** Only the author of the message may do this. */
  | 'not_by_its_author'
  /** Only creator and admins may do this. */
  | 'not_by_an_admin'
  /** Only valid between own devices. */
  | 'not_by_oneself'
  /** Invalid in this type of conversation. */
  | 'not_here'
  /** Kinds for internal use of an app. */
  | 'never_sent';

/** Controls of their own messages that bots and programs without a device may send. */
const OF_OWN_MESSAGES: ReadonlySet<string> = new Set(['reaction', 'edit', 'delete']);

/** Reports whether a kind needs no device's signature: it shows a text, or changes such messages of the same sender. */
export function isUnsignedKind(kind: string): boolean {
  return isUnsignedMessage(kind) || OF_OWN_MESSAGES.has(kind);
}

/**
 * @param target author of a control's target; null if the target has not arrived yet, and then it is judged
 * again later
 */
export function findControlProblem(
  kind: string,
  authorship: Authorship,
  place: Place,
  target: Authorship | null,
): RightsProblem | null {
  if (kind === 'system') return 'never_sent';
  const isAuthor = target === null || isSameAuthor(authorship, target);
  if (authorship.by !== 'person') {
    if (isUnsignedMessage(kind)) return null;
    if (!OF_OWN_MESSAGES.has(kind)) return 'not_by_a_person';
    return isAuthor ? null : 'not_by_its_author';
  }
  if (kind.startsWith('own.')) return isToOneself(authorship, place) ? null : 'not_by_oneself';
  switch (kind) {
    case 'edit':
      return isAuthor ? null : 'not_by_its_author';
    case 'delete':
      return isAuthor || isAdmin(authorship, place) ? null : 'not_by_its_author';
    case 'pin':
      return place.channel === 'direct' || isAdmin(authorship, place) ? null : 'not_by_an_admin';
    case 'picture':
      if (place.channel === 'direct') return 'not_here';
      return isAdmin(authorship, place) ? null : 'not_by_an_admin';
    case 'timer':
      return place.channel === 'direct' ? null : 'not_here';
    default:
      return null;
  }
}

/** A person also owns unsigned messages from their address, sent by their own program. */
function isSameAuthor(authorship: Authorship, target: Authorship): boolean {
  if (authorship.by === 'bot' || target.by === 'bot') {
    return authorship.by === 'bot' && target.by === 'bot' && authorship.botId === target.botId;
  }
  if (authorship.address !== target.address) return false;
  return authorship.by === 'person' || (target.by === 'nobody' && authorship.via === target.via);
}

function isAdmin(authorship: Authorship, { channel, creator, admins }: Place): boolean {
  return channel === 'group' && (authorship.address === creator || admins.includes(authorship.address));
}

function isToOneself(authorship: Authorship, { channel, self, peer }: Place): boolean {
  return channel === 'direct' && authorship.address === self && peer === self;
}
