/**
 * What becomes of a group message by the entry that it names as the newest that its sender knew (docs/protocol.md, 'Rosters').
 */
import type { Departure } from './history.ts';
import type { RosterReference } from './reference.ts';
import type { RosterState } from './state.ts';

/** How long after a departure what was under way still counts, in milliseconds. */
export const DEPARTURE_WINDOW = 10 * 60_000;

/** What is asked of the chain that was folded. */
export interface FoldedChain {
  readonly state: Pick<RosterState, 'epoch'>;
  /** Hash of the entry with an epoch, from 1 to the state's, in base64url. */
  hashAt(epoch: number): string;
  /** Whether an address was a member after the entry with this epoch. */
  wasMember(address: string, epoch: number): boolean;
  /** Departures by entries after this epoch, in order. */
  departuresAfter(epoch: number): Iterable<Departure>;
}

export interface GroupMessage {
  readonly sender: string;
  readonly roster: RosterReference;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** When the relay had it, as far as it could not lie, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** Whether it was asked for again: then it is old by right. */
  readonly askedFor: boolean;
}

export type MessageVerdict =
  /** Show it. `unaware`: who had been removed ten minutes before, without its sender knowing. */
  | { verdict: 'shown'; unaware: readonly string[] }
  /** It names what the chain does not have: fetch it, ask the sender, and hold the message meanwhile. */
  | { verdict: 'ask' }
  /** Its sender was no member then, or none for ten minutes when the relay had it. */
  | { verdict: 'not_a_member' };

/** Judges a message whose sender is proven. */
export function judgeGroupMessage(chain: FoldedChain, message: GroupMessage): MessageVerdict {
  const { sender, roster, sentAt, receivedAt, askedFor } = message;
  if (roster.epoch > chain.state.epoch || chain.hashAt(roster.epoch) !== roster.hash)
    return { verdict: 'ask' };
  if (!chain.wasMember(sender, roster.epoch)) return { verdict: 'not_a_member' };
  const unaware = new Set<string>();
  for (const { address, at, removed } of chain.departuresAfter(roster.epoch)) {
    if (address === sender && receivedAt >= at + DEPARTURE_WINDOW) return { verdict: 'not_a_member' };
    if (removed && !askedFor && sentAt >= at + DEPARTURE_WINDOW) unaware.add(address);
  }
  return { verdict: 'shown', unaware: [...unaware] };
}
