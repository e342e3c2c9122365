/**
 * Whether a voice counts in a conversation at all, before it is asked what it may do there (docs/protocol.md, 'Rights', 'Bots').
 */
import type { Place, Voice } from './control-rights.ts';

/**
 * What this device knows of who speaks. In a group: who is a member as of the epoch that the body names, and whether unsigned
 * bots are allowed by the newest entry.
 */
export interface Standing {
  isMember: boolean;
  /** Whether the device list of the address says `api`. */
  allowsPrograms: boolean;
  /** Whether the group's roster says `unsignedBots`. */
  allowsUnsignedBots: boolean;
}

/** Why nothing of a voice counts here; null if it does. */
export type VoiceProblem = 'not_a_member' | 'not_by_the_creator' | 'not_allowed' | 'not_here';

/** @param place with the creator as of the newest entry */
export function findVoiceProblem(
  voice: Voice,
  { channel, creator }: Place,
  known: Standing,
): VoiceProblem | null {
  if (voice.by === 'bot' || (voice.by === 'nobody' && voice.via === 'group_token')) {
    if (channel === 'direct') return 'not_here';
    if (voice.address !== creator) return 'not_by_the_creator';
    return voice.by === 'bot' || known.allowsUnsignedBots ? null : 'not_allowed';
  }
  if (voice.by === 'nobody' && !known.allowsPrograms) return 'not_allowed';
  return channel === 'direct' || known.isMember ? null : 'not_a_member';
}
