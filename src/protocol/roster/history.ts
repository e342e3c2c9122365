/**
 * Who was in a group when, from the entries that were folded: for messages that name an earlier one.
 */
import { decodeTime } from '../encoding.ts';
import type { FoldedEntry } from './fold.ts';

/** How someone ceased to be a member. */
export interface Departure {
  readonly address: string;
  readonly epoch: number;
  /** `issued` of the entry, in milliseconds since 1970. */
  readonly at: number;
  /** Whether someone else did it. */
  readonly removed: boolean;
}

/** The departures with which an entry ended memberships. */
export function departuresOf({ body }: FoldedEntry): Departure[] {
  const [epoch, at] = [body.epoch, decodeTime(body.issued)];
  if (body.kind === 'leave') return [{ address: body.by, epoch, at, removed: false }];
  if (body.kind !== 'change') return [];
  return (body.remove ?? []).map((address) => ({ address, epoch, at, removed: true }));
}

/** The member whom an entry added, if any. */
export function arrivalOf({ body }: FoldedEntry): string | null {
  return body.kind === 'create' || body.kind === 'join' ? body.by : null;
}
