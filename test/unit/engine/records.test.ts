/** Records of a chat for an export. */
import { expect, test } from 'vitest';
import type { Message } from '../../../src/bridge/shapes.ts';
import { HistoryRecord } from '../../../src/engine/history-records.ts';
import type { EngineParts } from '../../../src/engine/parts.ts';
import { importProcedures } from '../../../src/engine/procedures/import.ts';
import { messageProcedures } from '../../../src/engine/procedures/messages.ts';
import type { CachedDevice } from '../../support/cached-device.ts';
import { ben, HistoryWriter, LATER, openAnn } from '../../support/history.ts';

test('records of a chat come page by page in its order, without disappearing messages and other chats', async () => {
  let clock = LATER;
  const ann = openAnn(() => clock);
  const writer = new HistoryWriter(ann, (at) => {
    clock = at;
  });
  const text = (chat: 'ben' | 'cat', words: string, expires: number | null = null) =>
    writer.do({ is: 'text', chat, by: 1, text: words, expires });
  for (let number = 0; number < 150; number++) text('ben', `Message ${number}`);
  text('cat', 'In another chat');
  text('ben', 'Disappears', 86_400);
  text('ben', 'The last one');
  clock = LATER;
  const { own } = ann.context;
  const procedures = proceduresOf(ann);
  const conversationId = String(own.find(ben.address)?.id);
  const records: HistoryRecord[] = [];
  let after: Awaited<ReturnType<(typeof procedures)['messages.records']>>['next'] = null;
  do {
    const page: Awaited<ReturnType<(typeof procedures)['messages.records']>> = await procedures[
      'messages.records'
    ]({ conversationId, after });
    records.push(...page.records.map((record) => HistoryRecord.parse(record)));
    after = page.next;
  } while (after !== null);
  const [account, ...rest] = records;
  expect(account).toMatchObject({ type: 'account', version: 1 });
  expect(rest.map((record) => (record.type === 'message' ? record.body?.text : null))).toEqual([
    ...Array.from({ length: 150 }, (_, number) => `Message ${number}`),
    'The last one',
  ]);
  ann.close();
});

test('exported records are imported once, marked, and change nothing that is here', async () => {
  const [source, target] = [openAnn(() => LATER), openAnn(() => LATER)];
  const writer = new HistoryWriter(source, () => undefined);
  for (const words of ['One', 'Two'])
    writer.do({ is: 'text', chat: 'ben', by: 1, text: words, expires: null });
  writer.do({ is: 'edit', chat: 'ben', by: 1, on: 0, text: 'One, edited' });
  const chat = String(source.context.own.find(ben.address)?.id);
  const { records } = await proceduresOf(source)['messages.records']({ conversationId: chat, after: null });
  const [account, ...rest] = records as [object, ...object[]];
  const imports = proceduresOf(target);

  expect(() => imports['messages.import']({ records: rest as never, line: 2 })).toThrow('not_asked_now');
  for (const [changes, code] of [
    [{ address: ben.address }, 'import_of_other'],
    [{ version: 2 }, 'import_newer'],
    [{ type: 'message' }, 'import_unknown'],
  ] as const) {
    const begin = () => imports['messages.beginImport']({ account: { ...account, ...changes } as never });
    expect(begin).toThrow(expect.objectContaining({ code }));
  }
  imports['messages.beginImport']({ account: account as never });
  const broken = [rest[0], { ...rest[1], sender: 'ben' }];
  expect(() => imports['messages.import']({ records: broken as never, line: 2 })).toThrow(
    expect.objectContaining({ code: 'import_unknown', parameters: { line: 3 } }),
  );
  expect(imports['messages.import']({ records: rest as never, line: 2 })).toEqual({ added: 2 });
  expect(imports['messages.import']({ records: rest as never, line: 2 })).toEqual({ added: 0 });
  const forged = rest.map((record) => ({ ...record, edits: [], deletedBy: ben.address }));
  expect(imports['messages.import']({ records: forged as never, line: 2 })).toEqual({ added: 0 });

  const found = target.context.own.find(ben.address);
  const { messages } = (await imports['messages.list']({
    conversationId: String(found?.id),
    limit: 10,
  })) as { messages: Message[] };
  expect(messages.map(({ text, trust }) => [text, trust])).toEqual([
    ['One, edited', 'imported'],
    ['Two', 'imported'],
  ]);
  expect(found?.state).toBe('accepted');
  source.close();
  target.close();
});

function proceduresOf({ context }: CachedDevice) {
  const parts = { context, relays: { embedded: null, fixed: null }, online: null } as unknown as EngineParts;
  return { ...messageProcedures(parts), ...importProcedures(parts) };
}
