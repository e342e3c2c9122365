/**
 * Verdict on a group message by the entry that it names as the newest known to its sender (docs/protocol.md,
 * 'Rosters').
 */
import type { RosterBot } from './forms.ts';
import type { Departure, EndedBot } from './history.ts';
import type { RosterReference } from './reference.ts';
import type { RosterState } from './state.ts';

/** Grace period after a departure for messages on their way, in milliseconds. */
export const DEPARTURE_WINDOW = 10 * 60_000;
/** Limit of named members whose removal the sender did not know. */
const MAX_UNAWARE = 20;

/** Queries to the folded chain. */
export interface FoldedChain {
  readonly state: Pick<RosterState, 'epoch' | 'creator' | 'bots' | 'unsignedBots'>;
  /** Hash of the entry with an epoch, from 1 to the state's, in base64url. */
  hashAt(epoch: number): string;
  /** Reports whether an address was a member after the entry with this epoch. */
  wasMember(address: string, epoch: number): boolean;
  /** Departures by entries after this epoch, in order. */
  departuresAfter(epoch: number): Iterable<Departure>;
  /** Bots that ended with entries after this epoch, in order. */
  botsEndedAfter(epoch: number): Iterable<EndedBot>;
}

/** Author of a group message, before its chain is read. */
export type GroupAuthorship =
  /** The sender: signed by a certified device, or unsigned as allowed by their list. */
  | { readonly by: 'member' }
  /** The holder of a group token. Unsigned. */
  | { readonly by: 'token' }
  /** A bot. `isOf`: verifies the signature with an Ed25519 key, in base64url. */
  | { readonly by: 'bot'; isOf(key: string): boolean };

export interface GroupMessage {
  readonly sender: string;
  readonly authorship: GroupAuthorship;
  readonly roster: RosterReference;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Time at the relay, bounded by this device's knowledge, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** True if this device requested it again: then it may be old. */
  readonly isRequested: boolean;
}

/** Reason for refusing a group message. */
export type GroupRefusal =
  /** Its sender was not a member then, or had left more than ten minutes before it reached the relay. */
  | 'not_a_member'
  /** Posts with a group token have the creator as their sender. */
  | 'not_by_the_creator'
  /** The group's chain does not allow unsigned posts. */
  | 'unsigned_bots'
  /**
   * Signed by no bot of the group, or by one that ended more than ten minutes before it reached the relay.
   */
  | 'unknown_bot';

export type MessageVerdict =
  /**
   * Show it. `unaware`: the first twenty members who had been removed ten minutes before, without its
   * sender's knowledge. `bot`: the signing bot; null for none.
   */
  | { verdict: 'shown'; unaware: readonly string[]; bot: RosterBot | null }
  /** It names an unknown entry: fetch it, ask the sender, and store the message meanwhile. */
  | { verdict: 'ask'; bot: RosterBot | null }
  | { verdict: GroupRefusal };

/** Judges a message whose sender is proven, or may be a bot of the group. */
export function judgeGroupMessage(chain: FoldedChain, message: GroupMessage): MessageVerdict {
  const { roster, sentAt, isRequested } = message;
  const isKnown = roster.epoch <= chain.state.epoch && chain.hashAt(roster.epoch) === roster.hash;
  const standing = judgeAuthorship(chain, message, isKnown);
  if (typeof standing === 'string') return { verdict: standing };
  const { bot } = standing;
  if (!isKnown) return { verdict: 'ask', bot };
  const unaware = new Set<string>();
  for (const { address, at, removed } of chain.departuresAfter(roster.epoch)) {
    if (unaware.size === MAX_UNAWARE) break;
    if (removed && !isRequested && sentAt >= at + DEPARTURE_WINDOW) unaware.add(address);
  }
  return { verdict: 'shown', unaware: [...unaware], bot };
}

/** @param isKnown whether the chain has the entry that the message names */
function judgeAuthorship(
  chain: FoldedChain,
  message: GroupMessage,
  isKnown: boolean,
): GroupRefusal | { bot: RosterBot | null } {
  const { sender, authorship } = message;
  const { creator, unsignedBots } = chain.state;
  switch (authorship.by) {
    case 'member':
      return isKnown && !countsAsMember(chain, message) ? 'not_a_member' : { bot: null };
    // By current permission: a relay could invent these, and name any entry that allowed them once.
    case 'token':
      if (sender !== creator) return 'not_by_the_creator';
      return unsignedBots ? { bot: null } : 'unsigned_bots';
    case 'bot':
      return judgeBot(chain, message, authorship.isOf, isKnown);
  }
}

function countsAsMember(chain: FoldedChain, { sender, roster, receivedAt }: GroupMessage): boolean {
  if (!chain.wasMember(sender, roster.epoch)) return false;
  for (const { address, at } of chain.departuresAfter(roster.epoch)) {
    if (address === sender && receivedAt >= at + DEPARTURE_WINDOW) return false;
  }
  return true;
}

/** A bot's key is valid now, or ended after the named entry and no more than ten minutes before. */
function judgeBot(
  chain: FoldedChain,
  { sender, roster, receivedAt }: GroupMessage,
  isOf: (key: string) => boolean,
  isKnown: boolean,
): GroupRefusal | { bot: RosterBot } {
  const standing = chain.state.bots.find(({ key }) => isOf(key));
  if (standing && sender === chain.state.creator) return { bot: standing };
  const ended = isKnown ? [...chain.botsEndedAfter(roster.epoch)] : [];
  const late = ended.filter(({ bot, at }) => receivedAt < at + DEPARTURE_WINDOW && isOf(bot.key));
  const own = late.find(({ by }) => by === sender);
  if (own) return { bot: own.bot };
  return standing || late.length > 0 ? 'not_by_the_creator' : 'unknown_bot';
}
