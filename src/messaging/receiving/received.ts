/**
 * A content with its proven origin: the result of receiving, for the app and for programs alike.
 */
import type { Suite } from '../../protocol/envelope-form.ts';
import type { DirectBody, GroupBody } from '../../protocol/payload.ts';
import type { RosterBot } from '../../protocol/roster/forms.ts';
import type { Contents, Judged } from '../contents/all-kinds.ts';
import type { SenderProof } from '../contents/rights.ts';
import type { ChainGroup, RosterNotes } from './group-verdict.ts';

/** The group token of an unsigned post. Name and id are the relay's word. */
export interface TokenBot {
  /** Id of the token. */
  token: string;
  /** The name to show; empty if no valid character is left of it. */
  name: string;
}

/** The author of a group message that is not a person: a bot of the chain, by its signature, or a token. */
export type MessageBot = RosterBot | TokenBot;

/** The origin of a body. */
export interface Provenance {
  /** The device that signed it; null for an unsigned body. */
  deviceId: string | null;
  /** `bodyDigest` of its exact bytes. */
  digest: string;
  /** The relay's time, bounded by the own clock, in milliseconds since 1970. */
  receivedAt: number;
  /** True if this device had asked for it because it was missing. */
  isRequested: boolean;
  /** The suite of the sealed copy. */
  suite: Suite;
}

/** A body with a proven sender. */
export type Proven<G extends ChainGroup> = Provenance & { proof: SenderProof } & (
    | { channel: 'direct'; body: DirectBody }
    | {
        channel: 'group';
        body: GroupBody;
        group: G;
        /** Null for a body that an earlier version of the app kept. */
        notes: RosterNotes | null;
        /** Null for a person, and for a token that the relay does not name. */
        bot: MessageBot | null;
        /** True if its sender has the rights of a creator or admin by the entry that it names. */
        manages: boolean;
      }
  );

/** A body with a proven sender, and the verdict on its kind and fields. */
export type Received<G extends ChainGroup> = Proven<G> & { judged: Judged };

/** Adds the verdict on kind and fields. The sender's right to send it is a separate check (`findUnsignedProblem`). */
export function judgeContent<G extends ChainGroup>(contents: Contents, proven: Proven<G>): Received<G> {
  return { ...proven, judged: contents.judge(proven.channel, proven.body) };
}

/** The provenance alone, without the other fields of a larger object. */
export function provenanceOf({ deviceId, digest, receivedAt, isRequested, suite }: Provenance): Provenance {
  return { deviceId, digest, receivedAt, isRequested, suite };
}

/** The author that is not a person; null for a person, and where it is not known. */
export function botOf(proven: Proven<ChainGroup>): MessageBot | null {
  return proven.channel === 'group' ? proven.bot : null;
}

/** Reports whether the sender has the rights of a creator or admin in the group of the body. */
export function managesIn(proven: Proven<ChainGroup>): boolean {
  return proven.channel === 'group' && proven.manages;
}
