/**
 * What becomes of a group message by the entry that it names as the newest that its sender knew (docs/protocol.md, 'Rosters').
 */
import type { RosterBot } from './forms.ts';
import type { Departure, EndedBot } from './history.ts';
import type { RosterReference } from './reference.ts';
import type { RosterState } from './state.ts';

/** How long after a departure what was under way still counts, in milliseconds. */
export const DEPARTURE_WINDOW = 10 * 60_000;
/** Of those whose removal a sender did not know so many are named. */
const MOST_UNAWARE = 20;

/** What is asked of the chain that was folded. */
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

/** Who speaks in a group, as far as that is known before its chain is looked at. */
export type GroupAuthorship =
  /** The sender: a device that their wallet certifies signed it, or their list allows what is unsigned. */
  | { readonly by: 'member' }
  /** Who holds a token of the group. Nobody signed. */
  | { readonly by: 'token' }
  /** A bot. `isOf`: whether the signature holds under an Ed25519 key, in base64url. */
  | { readonly by: 'bot'; isOf(key: string): boolean };

export interface GroupMessage {
  readonly sender: string;
  readonly authorship: GroupAuthorship;
  readonly roster: RosterReference;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** When the relay had it, as far as it could not lie, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** True if it was asked for again: then it is old by right. */
  readonly askedFor: boolean;
}

/** Why a group message does not count. */
export type GroupRefusal =
  /** Its sender was no member then, or none for ten minutes when the relay had it. */
  | 'not_a_member'
  /** What a group token posts comes from the creator. */
  | 'not_by_the_creator'
  /** The group's chain does not allow what nobody signed. */
  | 'unsigned_bots'
  /** No bot of the group signed it, or one that had ended ten minutes before the relay had it. */
  | 'unknown_bot';

export type MessageVerdict =
  /**
   * Show it. `unaware`: who had been removed ten minutes before, without its sender knowing; the first twenty. `bot`: the bot that signed it;
   * null where none did.
   */
  | { verdict: 'shown'; unaware: readonly string[]; bot: RosterBot | null }
  /** It names what the chain does not have: fetch it, ask the sender, and hold the message meanwhile. */
  | { verdict: 'ask'; bot: RosterBot | null }
  | { verdict: GroupRefusal };

/** Judges a message whose sender is proven, or may be a bot of the group. */
export function judgeGroupMessage(chain: FoldedChain, message: GroupMessage): MessageVerdict {
  const { roster, sentAt, askedFor } = message;
  const isKnown = roster.epoch <= chain.state.epoch && chain.hashAt(roster.epoch) === roster.hash;
  const standing = judgeAuthorship(chain, message, isKnown);
  if (typeof standing === 'string') return { verdict: standing };
  const { bot } = standing;
  if (!isKnown) return { verdict: 'ask', bot };
  const unaware = new Set<string>();
  for (const { address, at, removed } of chain.departuresAfter(roster.epoch)) {
    if (unaware.size === MOST_UNAWARE) break;
    if (removed && !askedFor && sentAt >= at + DEPARTURE_WINDOW) unaware.add(address);
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
    // By what is allowed now: a relay could make these up, and name whatever entry allowed them once.
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

/** A bot's key stands now, or ended after the entry that its message names and no more than ten minutes before. */
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
