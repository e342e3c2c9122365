/**
 * Who may send what, with bots, groups and the message that a control is about (docs/protocol.md, 'Rights').
 */
import type { Channel } from './channel.ts';

/** Who stands behind a content, as far as that is proven. */
export type Voice =
  /** A device that the sender's wallet certifies. */
  | { by: 'person'; address: string }
  /** A bot that the group's roster names; `address` is the creator's, from whom its messages arrive. */
  | { by: 'bot'; address: string; botId: string }
  /** Nobody signed: the relay's word. */
  | { by: 'nobody'; address: string; via: 'session' | 'api_key' | 'group_token' };

/** The conversation that it came in, as this device knows it. */
export interface Place {
  channel: Channel;
  /** The own address. */
  self: string;
  /** `peer` of a direct body. */
  peer: string | null;
  /** Of the group. */
  creator: string | null;
  admins: readonly string[];
}

/** Why a content does not count; null if it may. */
export type RightsProblem =
  /** The kind takes a person's signature. */
  | 'not_by_a_person'
  /** Only who sent the message may do this to it. */
  | 'not_by_its_author'
  /** Only creator and admins may do this. */
  | 'not_by_an_admin'
  /** Only own devices tell each other this. */
  | 'not_by_oneself'
  /** It is about this kind of conversation never. */
  | 'not_here'
  /** Kinds that an app makes for itself alone. */
  | 'never_sent';

/** What a bot and a program without a device may send, beside controls of their own messages. */
const FROM_ANYBODY: ReadonlySet<string> = new Set(['text', 'attachment', 'poll']);
const OF_OWN_MESSAGES: ReadonlySet<string> = new Set(['reaction', 'edit', 'delete']);

/**
 * @param target of a control that has one: who sent the message that it is about; null if that has not come yet, and it is
 *   judged again then
 */
export function findControlProblem(
  kind: string,
  voice: Voice,
  place: Place,
  target: Voice | null,
): RightsProblem | null {
  if (kind === 'system') return 'never_sent';
  const isAuthor = target === null || isSameVoice(voice, target);
  if (voice.by !== 'person') {
    if (FROM_ANYBODY.has(kind)) return null;
    if (!OF_OWN_MESSAGES.has(kind)) return 'not_by_a_person';
    return isAuthor ? null : 'not_by_its_author';
  }
  if (kind.startsWith('own.')) return isToOneself(voice, place) ? null : 'not_by_oneself';
  switch (kind) {
    case 'edit':
      return isAuthor ? null : 'not_by_its_author';
    case 'delete':
      return isAuthor || isAdmin(voice, place) ? null : 'not_by_its_author';
    case 'pin':
      return place.channel === 'direct' || isAdmin(voice, place) ? null : 'not_by_an_admin';
    case 'picture':
      if (place.channel === 'direct') return 'not_here';
      return isAdmin(voice, place) ? null : 'not_by_an_admin';
    case 'timer':
      return place.channel === 'direct' ? null : 'not_here';
    default:
      return null;
  }
}

/** A person also speaks for what came unsigned from their address: from their own program. */
function isSameVoice(voice: Voice, target: Voice): boolean {
  if (voice.by === 'bot' || target.by === 'bot') {
    return voice.by === 'bot' && target.by === 'bot' && voice.botId === target.botId;
  }
  if (voice.address !== target.address) return false;
  return voice.by === 'person' || (target.by === 'nobody' && voice.via === target.via);
}

function isAdmin(voice: Voice, { channel, creator, admins }: Place): boolean {
  return channel === 'group' && (voice.address === creator || admins.includes(voice.address));
}

function isToOneself(voice: Voice, { channel, self, peer }: Place): boolean {
  return channel === 'direct' && voice.address === self && peer === self;
}
