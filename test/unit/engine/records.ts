/** Shared by the quick and the slow tests of records. */
import type { MessageRecord } from '../../../src/archive/history-records.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { importProcedures } from '../../../src/engine/procedures/import.ts';
import { messageProcedures } from '../../../src/engine/procedures/messages.ts';
import type { CachedDevice } from '../../support/cached-device.ts';
import { ben, HistoryWriter, LATER, openAnn } from '../../support/history.ts';

/** Records of a chat with Ben that has one message, and a cache for them. */
export async function oneMessage() {
  const [source, target] = [openAnn(() => LATER), openAnn(() => LATER)];
  const writer = new HistoryWriter(source, () => undefined);
  writer.do({ is: 'text', chat: 'ben', by: 1, text: 'One', expires: null });
  writer.do({ is: 'edit', chat: 'ben', by: 1, on: 0, text: 'One, edited' });
  writer.do({ is: 'pin', chat: 'ben', by: 1, on: 0, pinned: true });
  const conversationId = String(source.context.own.find(ben.address)?.id);
  const { records } = await proceduresOf(source)['messages.records']({ conversationId, after: null });
  const [account, message] = records as unknown as [Record<string, unknown>, MessageRecord];
  const close = () => {
    source.close();
    target.close();
  };
  return { account, message, target, [Symbol.dispose]: close };
}

export function proceduresOf({ context }: CachedDevice) {
  const parts = { context, relays: { embedded: null, fixed: null }, online: null } as unknown as EngineParts;
  return { ...messageProcedures(parts), ...importProcedures(parts) };
}
