/** Membership over time from folded entries, for messages that name an earlier entry. */
import { decodeTime } from '../encoding.ts';
import type { FoldedEntry } from './fold.ts';
import type { RosterBody, RosterBot, Ticket } from './forms.ts';
import type { GivenRole } from './roles.ts';
import type { SetField } from './set-fields.ts';

/** The stored part of a folded entry, for looking back. A {@link FoldedEntry} is one. */
export interface PastEntry {
  readonly body: Pick<RosterBody, 'epoch' | 'issued' | 'by' | 'kind'> & {
    readonly remove?: readonly string[] | undefined;
    readonly ticket?: Pick<Ticket, 'by' | 'deviceId'> | undefined;
    readonly timer?: number | undefined;
  };
  /** In base64url. */
  readonly hash: string;
  readonly deviceId: string;
  /** The bots that it ended; absent for none. Its signer is the creator responsible for them. */
  readonly endedBots?: readonly RosterBot[] | undefined;
  /** Members whose role it changed, with their new roles; absent for none. */
  readonly roles?: readonly GivenRole[] | undefined;
  /** Acts of its signer, the creator, on invite links, each once; absent for none. */
  readonly links?: readonly LinkAct[] | undefined;
}

/** Acts on invite links, in the order in which an entry does them. */
export const LINK_ACTS = ['canceled', 'made'] as const;
export type LinkAct = (typeof LINK_ACTS)[number];

/**
 * The part of a folded entry worth storing. It is small: an entry removes only members, who joined by one
 * each, and its ended bots and changed roles are limited by the current ones.
 */
export function pastEntryOf({ body, hash, deviceId, endedBots, roles, sets }: FoldedEntry): PastEntry {
  const { epoch, issued, by, kind } = body;
  const remove = body.kind === 'change' ? body.remove : undefined;
  const ticket = body.kind === 'join' ? body.ticket : undefined;
  const timer = body.kind === 'change' ? body.timer : undefined;
  const links = linkActs(body, sets);
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
    // The creation is not a change.
    ...(roles.length > 0 && kind !== 'create' && { roles }),
    ...(links.length > 0 && { links }),
  };
}

/** Links that expired are removed by the creator's app, and those of a former creator end with their rights: neither is an act. */
function linkActs(body: RosterBody, sets: readonly SetField[]): LinkAct[] {
  if (body.kind !== 'change' || body.links === undefined) return [];
  const links = sets.filter(({ field }) => field.startsWith('link/'));
  const issued = decodeTime(body.issued);
  const isDone = {
    canceled: links.some(
      ({ before, value }) => value === null && typeof before === 'string' && decodeTime(before) > issued,
    ),
    made: links.some(({ before, value }) => before === null && value !== null),
  };
  return LINK_ACTS.filter((act) => isDone[act]);
}

/** The end of a membership. */
export interface Departure {
  readonly address: string;
  readonly epoch: number;
  /** `issued` of the entry, in milliseconds since 1970. */
  readonly at: number;
  /** True if someone else removed them. */
  readonly removed: boolean;
}

/** The end of a bot. */
export interface EndedBot {
  readonly bot: RosterBot;
  /** The creator responsible for it, whose entry ended it. */
  readonly by: string;
  /** `issued` of the entry, in milliseconds since 1970. */
  readonly at: number;
}

/** The bots that an entry ended. */
export function endedBotsOf({ body, endedBots = [] }: PastEntry): EndedBot[] {
  return endedBots.map((bot) => ({ bot, by: body.by, at: decodeTime(body.issued) }));
}

/** The departures caused by an entry. */
export function departuresOf({ body }: PastEntry): Departure[] {
  const [epoch, at] = [body.epoch, decodeTime(body.issued)];
  if (body.kind === 'leave') return [{ address: body.by, epoch, at, removed: false }];
  if (body.kind !== 'change') return [];
  return (body.remove ?? []).map((address) => ({ address, epoch, at, removed: true }));
}

/** The member added by an entry, if any. */
export function arrivalOf({ body }: PastEntry): string | null {
  return body.kind === 'create' || body.kind === 'join' ? body.by : null;
}
