/** Lines of a group name people with the same display name by their handles. */
import { expect, test } from 'vitest';
import { namesOf, toConversation } from '../../../../src/engine/views/conversations.ts';
import { toMessageInfo } from '../../../../src/engine/views/message-info.ts';
import { toMessages } from '../../../../src/engine/views/messages.ts';
import { toChecksumAddress } from '../../../../src/protocol/address.ts';
import { decodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { openAccount } from '../../../support/cached-account.ts';
import { DEVICE } from '../../../support/cached-device.ts';
import { FullChat, groupOf, WRITTEN } from '../../../support/full-chat.ts';

const { chain, people } = groupOf(4);
const [own = '', ann = '', ben = '', former = ''] = people.map(({ address }) => address);

test('the people of a line with the name of another member are marked, also those who left', async () => {
  await using account = openAccount(own, () => WRITTEN);
  const { contacts, conversations, groups, messages, timelines } = account.context;
  for (const [address, handle, displayName] of [
    [ann, 'ann', 'Sam'],
    [ben, 'ben', 'Ben'],
    [former, 'former', 'SAM'],
  ] as const) {
    contacts.ensure(address, WRITTEN);
    contacts.saveProfile({ address, handle, displayName, verified: false });
  }
  const { people: members } = chain.state;
  const state = { ...chain.state, people: { ...members } };
  delete state.people[former];
  const group = groups.advance(state, [], own);
  const conversation = conversations.ensureForGroup(group.id, WRITTEN);
  messages.insertEvent(
    conversation.id,
    { type: 'left', address: former, by: ben },
    new Uint8Array(16),
    WRITTEN,
  );
  messages.insertEvent(
    conversation.id,
    { type: 'joined', address: ann },
    new Uint8Array(16).fill(1),
    WRITTEN,
  );
  const stored = timelines.before(conversation.id, null, 10);
  const lines = toMessages(account.context, conversation, stored).map(({ event }) =>
    [event?.who, event?.by].flatMap((each) => (each?.hasNamesake ? [each.address] : [])),
  );
  // The name of a former member is that of a present one, but not the other way round.
  expect(lines).toEqual([[toChecksumAddress(former)], []]);
});

test('an author with the name of another member is marked in messages, the row of the chat and the details', async () => {
  await using account = openAccount(own, () => WRITTEN);
  const { context } = account;
  const { contacts, conversations, groups, messages, timelines } = context;
  for (const [address, handle, displayName] of [
    [ann, 'ann', 'Sam'],
    [ben, 'ben', 'SAM '],
    [former, 'dana', 'Dana'],
  ] as const) {
    contacts.ensure(address, WRITTEN);
    contacts.saveProfile({ address, handle, displayName, verified: false });
  }
  const group = groups.advance(chain.state, [], own);
  const { id } = conversations.ensureForGroup(group.id, WRITTEN);
  const chat = new FullChat({ chain, people });
  for (const [place, by] of [3, 1].entries()) {
    const body = chat.message(by, place + 1, 'Hello');
    messages.insert({
      conversationId: id,
      uid: decodeBase64Url(body.id),
      sender: body.sender,
      body,
      seq: place + 1,
      deviceId: null,
      sentAt: WRITTEN,
      storedAt: WRITTEN,
      state: 'received',
      trust: 'verified',
    });
  }
  conversations.setLastMessage(id, timelines.lastId(id));
  const conversation = conversations.get(id);
  if (!conversation) throw new Error('the chat exists');
  const stored = timelines.before(id, null, 10);
  const shown = toMessages(context, conversation, stored).map(({ author }) => [
    author.handle,
    author.hasNamesake,
  ]);
  expect(shown).toEqual([
    ['dana', undefined],
    ['ann', true],
  ]);
  const row = toConversation(context, conversation, namesOf(context));
  expect(row.last?.author).toMatchObject({ handle: 'ann', hasNamesake: true });
  const me = { address: own, deviceId: DEVICE };
  const details = stored.map((each) => toMessageInfo(context, conversation, each, me).author.hasNamesake);
  expect(details).toEqual([undefined, true]);
});
