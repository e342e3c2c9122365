/**
 * What comes to this device, and what becomes of it: the shapes that incoming.ts, arrivals.ts and store-arrival.ts
 * hand to each other.
 */
import type { Trust } from '../../bridge/shapes.ts';
import type { Judged } from '../../messaging/contents/all-kinds.ts';
import type { SenderProof } from '../../messaging/contents/rights.ts';
import type { MessageBot, Provenance, RosterNotes } from '../../messaging/receiving/arrival.ts';
import type { DirectBody, GroupBody } from '../../protocol/payload.ts';
import type { StoredGroup } from '../cache/groups.ts';

/** A content whose sender is proven and may send it. `isLate`: its sender's later ones came before it. */
export type Arrival = Provenance & { trust: Trust; judged: Judged; isLate?: boolean } & (
    | { channel: 'direct'; body: DirectBody }
    /** `bot`: what wrote it in the place of a person; null for a person, and where that is not known. */
    | {
        channel: 'group';
        body: GroupBody;
        group: StoredGroup;
        notes: RosterNotes | null;
        bot: MessageBot | null;
        /** Whether its sender has the rights of a creator or admin by the entry that it names. */
        manages: boolean;
      }
  );

/** A message that was stored. */
export interface StoredArrival {
  conversationId: number;
  messageId: number;
  request: boolean;
  /** Name of the group. */
  group: string | null;
  /** Whether someone else wrote it, where the person wants to hear of it, if it mentions them at least. */
  notify: boolean;
  mentionsMe: boolean;
  muted: boolean;
}

/** What became of a content. */
export interface TakenArrival {
  arrival: Arrival;
  /** False if it came before: then nothing happened. */
  isNew: boolean;
  /** Null if it is no message, or is not shown. */
  stored: StoredArrival | null;
  /** The conversation in which it changed something that was there; null if it changed nothing. */
  changed: number | null;
  /** Whether words were erased from the disk. */
  hasErased: boolean;
}

/** How a content came, and nothing else. */
export function provenanceOf({ deviceId, digest, receivedAt, askedFor, suite }: Provenance): Provenance {
  return { deviceId, digest, receivedAt, askedFor, suite };
}

/** What wrote a content in the place of a person; null for a person, and where that is not known. */
export function botOf(arrival: Arrival): MessageBot | null {
  return arrival.channel === 'group' ? arrival.bot : null;
}

/** Whether the sender of a content has the rights of a creator or admin in its group. */
export function managesIn(arrival: Arrival): boolean {
  return arrival.channel === 'group' && arrival.manages;
}

/** How a proven sender is shown. @param isOwn whether it is the person's address */
export function trustIn(proof: SenderProof, isOwn: boolean): Trust {
  if (proof !== 'signed') return proof;
  return isOwn ? 'self' : 'verified';
}
