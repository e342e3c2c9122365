import { expect, test } from 'vitest';
import { newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';

test('without a wake-up the sweep finds new mail: two relays on one database', async () => {
  await using one = await new TestRelay().start();
  await using two = await new TestRelay({ dataDirectory: one.folder.path }).start();
  const [from, to] = [await newPerson(one), await newPerson(one)];
  const openPoll = to.inbox(to.device, 20);
  await one.untilPolling(1);
  await two.call('sendEnvelopes', { token: from.token, body: from.seal(to, to.device, 'by the other') });
  expect((await openPoll).map((envelope) => to.open(envelope))).toEqual(['by the other']);
});
