/** Work after the person has accepted someone. */
import type { StoredConversation } from '../cache/conversations.ts';
import { planDownloadsOfAccepted } from '../files/receiving.ts';
import type { EngineParts } from '../parts.ts';

/** Schedules receipts for earlier messages, and downloads their pictures and voice messages. */
export function continueAccepted({ context, online }: EngineParts, { id, name }: StoredConversation): void {
  if (!online) return;
  const devices = context.gaps.devicesIn(name);
  context.transaction(() => {
    online.receipts.accepted(devices);
    planDownloadsOfAccepted(context, id);
  });
  online.receiptsPlanned();
  online.transfers.wake();
}
