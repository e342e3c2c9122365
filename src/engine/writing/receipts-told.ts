/**
 * What the person does of which others are told.
 */
import type { StoredConversation } from '../cache/conversations.ts';
import type { EngineParts } from '../parts.ts';

/** The person has accepted someone, who is told what came before. */
export function tellAccepted({ context, online }: EngineParts, { name }: StoredConversation): void {
  if (!online) return;
  const devices = context.gaps.devicesIn(name);
  context.transaction(() => online.receipts.accepted(devices));
  online.receiptsPlanned();
}
