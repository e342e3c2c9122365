/**
 * The forms of a roster's entries (docs/protocol.md, 'Rosters'). A body is judged by its bytes, so that all
 * programs read it alike.
 */
import { z } from 'zod';
import { MAX_DESCRIPTION } from '../label.ts';
import { LAST_SEQUENCE } from '../limits.ts';
import { Bytes, BytesUpTo, Characters, Kind, Name, WireAddress, WireTime } from '../primitives.ts';
import { MAX_ADMINS, MAX_BODY_BYTES, MAX_BOTS, MAX_LINKS, TIMER } from './limits.ts';

const Sequence = z.number().int().min(1).max(LAST_SEQUENCE);
const Signature = Bytes(64);

/** One entry of the chain: a body, with its signature. */
export const RosterEntry = z
  .strictObject({
    body: BytesUpTo(MAX_BODY_BYTES).describe('The exact bytes of the JSON, in base64url.'),
    deviceId: Bytes(16).describe('The device of `by` that signed.'),
    signature: Signature.describe('Ed25519 by the device.'),
  })
  .meta({ id: 'RosterEntry', description: 'One signed change of a group.' });
export type RosterEntry = z.infer<typeof RosterEntry>;

/** An admission for one address, signed by the creator or an admin. */
export const Ticket = z
  .strictObject({
    address: WireAddress.describe('Who may join with it.'),
    issued: WireTime,
    expires: WireTime.describe('At most 30 days after `issued`.'),
    by: WireAddress.describe('Creator or admin of the group.'),
    list: Sequence.describe('Number of the device list of `by` that the device stands in.'),
    deviceId: Bytes(16),
    signature: Signature,
  })
  .meta({ id: 'Ticket', description: 'An admission for one address, signed by the creator or an admin.' });
export type Ticket = z.infer<typeof Ticket>;

/** The proof of knowing an invite link: its key, and a signature by it. */
export const LinkProof = z.strictObject({ key: Bytes(32), signature: Signature });
export type LinkProof = z.infer<typeof LinkProof>;

/** The way to join a group without a ticket or a link. */
export const JoinMode = z.enum(['open', 'password', 'invite']);
export type JoinMode = z.infer<typeof JoinMode>;

/** A bot with its own key. */
export const RosterBot = z.strictObject({ key: Bytes(32), name: Name });
export type RosterBot = z.infer<typeof RosterBot>;

/** The public half of an invite link. */
export const RosterLink = z.strictObject({ key: Bytes(32), expires: WireTime });
export type RosterLink = z.infer<typeof RosterLink>;

/** Seconds until messages disappear; 0 for never. */
export const Timer = z
  .number()
  .int()
  .max(TIMER.most)
  .refine((seconds) => seconds === 0 || seconds >= TIMER.least);

function isEachOnce(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

const Addresses = z.array(WireAddress).min(1).refine(isEachOnce);

const head = {
  epoch: Sequence,
  previous: Bytes(32).nullable(),
  issued: WireTime,
  by: WireAddress,
  list: Sequence,
};

/** Common fields of every body, in this version and later ones. */
export const BodyHead = z.looseObject({ ...head, kind: Kind });
export type BodyHead = z.infer<typeof BodyHead>;

export const CreateContent = z.strictObject({
  kind: z.literal('create'),
  nonce: Bytes(16),
  name: Name,
});

export const JoinContent = z
  .strictObject({
    kind: z.literal('join'),
    password: Signature.optional(),
    link: LinkProof.optional(),
    ticket: Ticket.optional(),
  })
  .refine(
    ({ password, link, ticket }) =>
      [password, link, ticket].filter((proof) => proof !== undefined).length <= 1,
  );

export const LeaveContent = z.strictObject({ kind: z.literal('leave') });

/** Fields replace the previous values; absent ones stay unchanged. */
export const ChangeContent = z.strictObject({
  kind: z.literal('change'),
  remove: Addresses.optional(),
  uninvite: Addresses.optional(),
  name: Name.optional(),
  description: z.union([z.literal(''), Characters(MAX_DESCRIPTION)]).optional(),
  join: JoinMode.optional(),
  joinKey: Bytes(32).optional(),
  admins: z.array(WireAddress).max(MAX_ADMINS).refine(isEachOnce).optional(),
  bots: z
    .array(RosterBot)
    .max(MAX_BOTS)
    .refine((items) => isEachOnce(items.map(({ key }) => key)))
    .optional(),
  links: z
    .array(RosterLink)
    .max(MAX_LINKS)
    .refine((items) => isEachOnce(items.map(({ key }) => key)))
    .optional(),
  timer: Timer.optional(),
  unsignedBots: z.boolean().optional(),
  creator: WireAddress.optional(),
});

const BODIES = {
  create: CreateContent.safeExtend(head),
  join: JoinContent.safeExtend(head),
  leave: LeaveContent.safeExtend(head),
  change: ChangeContent.safeExtend(head),
} as const;

export type CreateBody = z.infer<typeof BODIES.create>;
export type JoinBody = z.infer<typeof BODIES.join>;
export type LeaveBody = z.infer<typeof BODIES.leave>;
export type ChangeBody = z.infer<typeof BODIES.change>;
export type RosterBody = CreateBody | JoinBody | LeaveBody | ChangeBody;

/** Contents of an entry without its place in the chain. */
export type RosterContent =
  | z.infer<typeof CreateContent>
  | z.infer<typeof JoinContent>
  | z.infer<typeof LeaveContent>
  | z.infer<typeof ChangeContent>;

/** Parses a body by its kind: `newer` for a later version, null for an invalid known field. */
export function readKind(json: BodyHead): RosterBody | 'newer' | null {
  const schema = Object.hasOwn(BODIES, json.kind) ? BODIES[json.kind as keyof typeof BODIES] : null;
  if (!schema) return 'newer';
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  return result.error.issues.some(({ code }) => code === 'unrecognized_keys') ? 'newer' : null;
}
