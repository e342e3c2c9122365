/**
 * Reports to the operator of a relay (docs/protocol.md, 'Reports').
 */
import { z } from 'zod';
import { OpaqueId, Text, WireAddress } from '../primitives.ts';

/** The category of a report, for the operator. */
export const ReportReason = z
  .enum(['spam', 'harassment', 'threat', 'impersonation', 'illegal', 'other'])
  .meta({ id: 'ReportReason' });
export type ReportReason = z.infer<typeof ReportReason>;

const about = z
  .union([z.strictObject({ account: WireAddress }), z.strictObject({ group: OpaqueId })])
  .describe('An account or a group at this relay.');

export const ReportRequest = z
  .strictObject({
    about,
    reason: ReportReason,
    text: Text(1_000).optional().describe('A text for the operator, 1 to 1,000 bytes. It is not sealed.'),
  })
  .meta({ id: 'ReportRequest' });
export type ReportRequest = z.infer<typeof ReportRequest>;
