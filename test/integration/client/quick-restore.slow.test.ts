/**
 * A relay that restarts from a backup before the waiting clients ask again: they see no failure.
 */
import { expect, test } from 'vitest';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { newBot } from '../../support/bots.ts';
import { newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { backUp, restore } from '../../support/restore.ts';

test('a relay that was restored unnoticed gets its lost data back', async () => {
  await using relay = await new TestRelay({ admin: true }).start();
  const { identity, client } = await newBot(relay, { allowUnsigned: [] });
  // The backup has the session, so the session does not reveal the loss.
  await client.me();
  const backup = await backUp(relay);
  await identity.register(relay.url, { allowUnsigned: ['api'] });
  const reader = await newPerson(relay);
  const published = async () => {
    await reader.login();
    const { body } = await relay.call('getKeys', {
      token: reader.token,
      params: { address: identity.address },
    });
    return body.deviceList.sequence;
  };
  expect(await published()).toBe(2);

  const stop = new AbortController();
  const listening = (async () => {
    for await (const _ of client.messages({ signal: stop.signal })) expect.unreachable('nobody writes');
  })();
  await expect
    .poll(async () => (await runAdminCommand(relay.folder.path, 'stats', {})).heldPolls, { interval: 10 })
    .toBe(1);
  await restore(relay, backup);
  await expect.poll(published, { interval: 500 }).toBe(2);
  stop.abort();
  await listening;
});
