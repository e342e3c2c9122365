/** Actions of the person that cause receipts. */
import type { StoredConversation } from '../cache/conversations.ts';
import type { EngineParts } from '../parts.ts';

/** Schedules receipts for earlier messages after the person has accepted someone. */
export function planReceiptsForAccepted(
  { context, online }: EngineParts,
  { name }: StoredConversation,
): void {
  if (!online) return;
  const devices = context.gaps.devicesIn(name);
  context.transaction(() => online.receipts.accepted(devices));
  online.receiptsPlanned();
}
