/** Records of a chat for an export. */
import { expect, test } from 'vitest';
import { LATER } from '../../support/history.ts';
import { oneMessage, proceduresOf } from './records.ts';

test('an import with ten thousand strangers removes no request, and adds few', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const { contacts, conversations, own, strangers, transaction } = target.context;
  const addressOf = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`;
  for (let index = 0; index < 150; index++)
    conversations.ensure(contacts.ensure(addressOf(index), LATER).id, 'request', LATER - 1);
  const imports = proceduresOf(target);
  imports['messages.beginImport']({ account: account as never });
  const forged = Array.from({ length: 10_000 }, (_, index) => {
    const sender = addressOf(1_000 + index);
    return { ...message, conversation: sender, sender, body: { ...message.body, sender } };
  });
  expect(imports['messages.import']({ records: forged as never, line: 2 })).toEqual({
    added: 50,
    withoutChat: 9_950,
  });
  expect(transaction(() => strangers.prune())).toEqual([]);
  expect(own.find(addressOf(0))?.state).toBe('request');
  expect(contacts.find(addressOf(1_050))).toBeNull();
});
