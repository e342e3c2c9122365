/** Records of a chat for an export. */
import { expect, test } from 'vitest';
import { HistoryRecord } from '../../../src/engine/history/records.ts';
import { messageProcedures } from '../../../src/engine/procedures/messages.ts';
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
  const procedures = messageProcedures({
    context: ann.context,
    relays: { embedded: null, fixed: null },
    online: null,
  } as unknown as Parameters<typeof messageProcedures>[0]);
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
