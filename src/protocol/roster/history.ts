/**
 * Who was in a group when, from the entries that were folded: for messages that name an earlier one.
 */
import { decodeTime } from '../encoding.ts';
import type { FoldedEntry } from './fold.ts';
import type { RosterBody, RosterBot, Ticket } from './forms.ts';
import type { GivenRole } from './roles.ts';

/** What is kept of an entry that was folded, for those who look back: a {@link FoldedEntry} is one as it stands. */
export interface PastEntry {
  readonly body: Pick<RosterBody, 'epoch' | 'issued' | 'by' | 'kind'> & {
    readonly remove?: readonly string[] | undefined;
    readonly ticket?: Pick<Ticket, 'by' | 'deviceId'> | undefined;
    readonly timer?: number | undefined;
  };
  /** In base64url. */
  readonly hash: string;
  readonly deviceId: string;
  /** The bots that ended with it; left out where none did. Its signer is the creator who answered for them. */
  readonly endedBots?: readonly RosterBot[] | undefined;
  /** Who became or ceased to be the creator or an admin with it, and what they are since; left out where nobody did. */
  readonly roles?: readonly GivenRole[] | undefined;
}

/**
 * Of a folded entry what is worth keeping. It is small: an entry removes only members, who joined by one each, and ends at
 * most as many bots, and changes at most as many roles, as stand at once.
 */
export function pastEntryOf({ body, hash, deviceId, endedBots, roles }: FoldedEntry): PastEntry {
  const { epoch, issued, by, kind } = body;
  const remove = body.kind === 'change' ? body.remove : undefined;
  const ticket = body.kind === 'join' ? body.ticket : undefined;
  const timer = body.kind === 'change' ? body.timer : undefined;
  return {
    body: {
      epoch,
      issued,
      by,
      kind,
      ...(remove && { remove }),
      ...(ticket && { ticket: { by: ticket.by, deviceId: ticket.deviceId } }),
      ...(timer !== undefined && { timer }),
    },
    hash,
    deviceId,
    ...(endedBots.length > 0 && { endedBots }),
    // Beginnings are no changes.
    ...(roles.length > 0 && kind !== 'create' && { roles }),
  };
}

/** How someone ceased to be a member. */
export interface Departure {
  readonly address: string;
  readonly epoch: number;
  /** `issued` of the entry, in milliseconds since 1970. */
  readonly at: number;
  /** True if someone else did it. */
  readonly removed: boolean;
}

/** How a bot ceased to be one of the group's. */
export interface EndedBot {
  readonly bot: RosterBot;
  /** The creator who answered for it, and ended it. */
  readonly by: string;
  /** `issued` of the entry, in milliseconds since 1970. */
  readonly at: number;
}

/** The bots that ended with an entry. */
export function endedBotsOf({ body, endedBots = [] }: PastEntry): EndedBot[] {
  return endedBots.map((bot) => ({ bot, by: body.by, at: decodeTime(body.issued) }));
}

/** The departures with which an entry ended memberships. */
export function departuresOf({ body }: PastEntry): Departure[] {
  const [epoch, at] = [body.epoch, decodeTime(body.issued)];
  if (body.kind === 'leave') return [{ address: body.by, epoch, at, removed: false }];
  if (body.kind !== 'change') return [];
  return (body.remove ?? []).map((address) => ({ address, epoch, at, removed: true }));
}

/** The member whom an entry added, if any. */
export function arrivalOf({ body }: PastEntry): string | null {
  return body.kind === 'create' || body.kind === 'join' ? body.by : null;
}
