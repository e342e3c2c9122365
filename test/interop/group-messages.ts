import { type Bot, signingBot } from './bots.ts';
import { msOf } from './forms.ts';
import type { Payload } from './payload.ts';
import { hasEntry } from './roster-fold.ts';
import { type GroupState, isMember, TEN_MINUTES, wasMember } from './roster-state.ts';

/** Verdict on a group message by the known chain (section 11, 'Messages' and 'Bots'). */
export type GroupVerdict =
  | { is: 'shown'; bot?: Bot; note?: 'written_without_removal' | 'unknown_changes' }
  /** It names an entry that the chain lacks: fetch the chain, then judge again. */
  | { is: 'hold' }
  | { is: 'set_aside'; reason: string };

const DAY = 24 * 60 * 60_000;

export interface MessageContext {
  via: string;
  /** Time at which it counts as received, in milliseconds. */
  receivedAt: number;
  now: number;
  self: string;
  /** True if the copy was requested (section 10, 'Gaps'). */
  wasRequested?: boolean;
}

/** Judges a message whose sender is proven if a device signed it. */
export function judgeGroupMessage(
  state: GroupState,
  payload: Payload,
  context: MessageContext,
): GroupVerdict {
  const { body, auth } = payload;
  if (!isMember(state, context.self)) return { is: 'set_aside', reason: 'not_a_member_self' };
  const isByToken = context.via === 'group_token' && auth.by !== 'device';
  if (body.roster === undefined) return { is: 'set_aside', reason: 'malformed' };
  if (auth.by === 'bot' && !isByToken) return { is: 'set_aside', reason: 'bot_without_token' };
  if (!hasEntry(state, body.roster)) {
    // A token's post is judged by the newest entry only: it waits only if it is valid now.
    const byToken = isByToken ? judgeToken(state, payload, context) : null;
    if (byToken?.is === 'set_aside') return byToken;
    if (context.now < context.receivedAt + DAY) return { is: 'hold' };
    if (byToken !== null) return byToken;
    return isMember(state, body.sender)
      ? { is: 'shown', note: 'unknown_changes' }
      : { is: 'set_aside', reason: 'not_a_member' };
  }
  return isByToken ? judgeToken(state, payload, context) : judgeMember(state, payload, context);
}

function judgeMember(state: GroupState, { body }: Payload, context: MessageContext): GroupVerdict {
  const epoch = body.roster?.epoch ?? 0;
  if (!wasMember(state, body.sender, epoch)) return { is: 'set_aside', reason: 'not_a_member' };
  const wentLater = (state.spans.get(body.sender) ?? []).some(
    ({ until, endedAt }) =>
      until !== null && until > epoch && endedAt !== null && context.receivedAt >= endedAt + TEN_MINUTES,
  );
  if (wentLater) return { is: 'set_aside', reason: 'left_before' };
  const sentAt = msOf(body.sentAt);
  const isLate = state.removals.some((one) => one.epoch > epoch && sentAt >= one.issued + TEN_MINUTES);
  return isLate && context.wasRequested !== true
    ? { is: 'shown', note: 'written_without_removal' }
    : { is: 'shown' };
}

function judgeToken(state: GroupState, payload: Payload, context: MessageContext): GroupVerdict {
  const { sender } = payload.body;
  const roster =
    payload.body.roster !== undefined && hasEntry(state, payload.body.roster) ? payload.body.roster : null;
  if (payload.auth.by === 'nobody') {
    if (!state.unsignedBots) return { is: 'set_aside', reason: 'unsigned_bots_not_allowed' };
    return sender === state.creator ? { is: 'shown' } : { is: 'set_aside', reason: 'not_the_creator' };
  }
  const bot = signingBot(payload, state.bots);
  if (bot !== undefined && sender === state.creator) return { is: 'shown', bot };
  const former = signingBot(
    payload,
    state.formerBots.filter(
      ({ epoch, by, issued }) =>
        roster !== null && epoch > roster.epoch && by === sender && context.receivedAt < issued + TEN_MINUTES,
    ),
  );
  return former === undefined ? { is: 'set_aside', reason: 'unknown_bot' } : { is: 'shown', bot: former };
}
