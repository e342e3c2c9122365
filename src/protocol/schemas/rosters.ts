/** Calls about signed rosters: creating a group, reading its chain, adding to it. */
import { z } from 'zod';
import { Bytes, QueryInteger } from '../primitives.ts';
import { LinkProof, RosterEntry, Ticket } from '../roster/forms.ts';
import { MAX_ENTRIES } from '../roster/limits.ts';

/** Entries in one answer: by default, and at most. Each has up to 22 KiB in JSON. */
export const ROSTER_PAGE = { default: 50, most: 100 } as const;
/** Approximate limit of the bodies in one answer, in bytes. */
export const ROSTER_PAGE_BYTES = 1024 * 1024;
/** The first entries of a group: its creation, and a change that sets it up. */
const MAX_FIRST_ENTRIES = 2;

const PasswordProof = Bytes(32).describe(
  'The half of the derived password for the relay, which stores its SHA-256.',
);
const Epoch = z.number().int().min(1).max(MAX_ENTRIES);

export const FoundRequest = z
  .strictObject({
    entries: z.array(RosterEntry).min(1).max(MAX_FIRST_ENTRIES),
    password: PasswordProof.optional().describe('Required if one of the entries has a `joinKey`.'),
    listed: z.boolean().optional().describe('True if the directory shows the group. Default: true.'),
  })
  .meta({ id: 'FoundRequest' });
export type FoundRequest = z.infer<typeof FoundRequest>;

export const ListingRequest = z.strictObject({ listed: z.boolean() }).meta({ id: 'ListingRequest' });

export const AdmissionRequest = z
  .strictObject({
    password: PasswordProof.optional(),
    link: LinkProof.optional().describe('Its signature is over the bytes of an admission, not of a join.'),
    ticket: Ticket.optional(),
  })
  .meta({ id: 'AdmissionRequest' });
export type AdmissionRequest = z.infer<typeof AdmissionRequest>;

export const RosterPlace = z
  .object({ epoch: Epoch, hash: Bytes(32).describe('SHA-256 of the body of that entry.') })
  .meta({ id: 'RosterPlace', description: 'One entry of a group’s chain, by its number and hash.' });
export type RosterPlace = z.infer<typeof RosterPlace>;

export const RosterQuery = z.strictObject({
  after: QueryInteger(0, MAX_ENTRIES).optional().describe('Only entries with a higher epoch.'),
  limit: QueryInteger(1, ROSTER_PAGE.most).optional(),
});

export const RosterPage = z
  .object({
    entries: z.array(z.object(RosterEntry.shape)).max(ROSTER_PAGE.most),
    more: z.boolean().describe('True if there are more entries after the last of these.'),
  })
  .meta({ id: 'RosterPage' });
export type RosterPage = z.infer<typeof RosterPage>;

export const RosterPostRequest = z
  .strictObject({
    entry: RosterEntry,
    password: PasswordProof.optional().describe('Required with a new `joinKey`.'),
  })
  .meta({ id: 'RosterPostRequest' });
