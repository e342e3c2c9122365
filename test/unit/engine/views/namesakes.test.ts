/** Lines of a group name people with the same display name by their handles. */
import { expect, test } from 'vitest';
import { toMessages } from '../../../../src/engine/views/messages.ts';
import { toChecksumAddress } from '../../../../src/protocol/address.ts';
import { openAccount } from '../../../support/cached-account.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';

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
  const lines = toMessages(account.context, conversation, stored).map(({ event }) => event?.namesakes);
  // The name of a former member is that of a present one, but not the other way round.
  expect(lines).toEqual([[toChecksumAddress(former)], undefined]);
});
