/** Requests to the operator's socket: one line of JSON, answered by one line of JSON. */

import { z } from 'zod';
import { OpaqueId, WireAddress, WireTime } from '../../protocol/primitives.ts';
import { Handle } from '../../protocol/schemas/directory.ts';
import type { OperatorFailureData } from '../operator/failure.ts';
import { USAGE_MEASURES } from '../store/operator-records.ts';

const Text = z.string().max(100);
const Count = z.number().int().min(1).max(10_000);
const account = z.union([z.strictObject({ address: WireAddress }), z.strictObject({ handle: Handle })]);

/** The arguments of each command. */
export const ADMIN_REQUESTS = {
  stats: z.strictObject({}),
  usage: z.strictObject({ by: z.enum(USAGE_MEASURES), limit: Count }),
  reports: z.strictObject({ limit: Count }),
  resolveReport: z.strictObject({ id: OpaqueId }),
  handles: z.strictObject({ text: Text, limit: Count }),
  groups: z.strictObject({ text: Text, limit: Count }),
  verifyHandle: z.strictObject({ handle: Handle, verified: z.boolean() }),
  verifyGroup: z.strictObject({ id: OpaqueId, verified: z.boolean() }),
  suspend: z.strictObject({ account, suspended: z.boolean() }),
  findGroup: z.strictObject({ id: OpaqueId }),
  /** The name must be the group's: it is the second step of two. */
  removeGroup: z.strictObject({ id: OpaqueId, name: z.string() }),
  invite: z.strictObject({ uses: Count, expires: WireTime }),
  invitations: z.strictObject({ limit: Count }),
  revokeInvitation: z.strictObject({ id: OpaqueId }),
  admit: z.strictObject({ address: WireAddress, admitted: z.boolean() }),
  admitted: z.strictObject({ limit: Count }),
  backup: z.strictObject({ file: z.string().min(1) }),
  audit: z.strictObject({ limit: Count }),
  verifyAudit: z.strictObject({}),
} as const satisfies Record<string, z.ZodObject>;

export type AdminCommand = keyof typeof ADMIN_REQUESTS;
export type AdminArguments<C extends AdminCommand> = z.output<(typeof ADMIN_REQUESTS)[C]>;

/** A request line to the relay. */
export const AdminRequest = z.strictObject({
  command: z.enum(Object.keys(ADMIN_REQUESTS) as [AdminCommand, ...AdminCommand[]]),
  args: z.unknown(),
});

/** An answer line. */
export type AdminAnswer = { result: unknown } | { failure: OperatorFailureData };
