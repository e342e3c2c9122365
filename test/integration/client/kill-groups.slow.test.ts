/**
 * A program on the library that is killed while it writes into a group.
 */
import { expect, test } from 'vitest';
import { newMessageId } from '../../../src/client/sealing.ts';
import { newBot, waiting } from '../../support/bots.ts';
import { KillableProgram } from '../../support/killable-engine.ts';
import { CuttingProxy, type Exchange } from '../../support/proxy.ts';

/** Kill points: while the group is read, and at the second of two posts. */
const PLACES: { ends: string; stage: Exchange['stage']; times: number }[] = [
  { ends: '/groups/GROUP', stage: 'after', times: 1 },
  { ends: '/envelopes', stage: 'after', times: 1 },
  { ends: '/envelopes', stage: 'before', times: 2 },
  { ends: '/envelopes', stage: 'after', times: 2 },
];

test('after each kill it continues: all members get the same message once', async () => {
  // One copy in a post: a kill between two posts has delivered it to one member and not the other.
  await using proxy = await CuttingProxy.withRelay({ limits: { groupEnvelopes: 1 } });
  await using ann = await new KillableProgram(proxy.url, 'ann').start();
  const group = (await ann.call('createGroup', { text: 'Herons' })) as { id: string };
  const members = [await newBot(proxy), await newBot(proxy)];
  for (const { client } of members) await client.joinGroup(group.id);

  for (const { ends, stage, times } of PLACES) {
    const text = `${times} ${stage} ${ends}`;
    const message = { to: group.id, text, messageId: newMessageId() };
    const killed = Promise.withResolvers<void>();
    let left = times;
    proxy.cuts = (exchange) => {
      const isIt = exchange.stage === stage && exchange.path.endsWith(ends.replace('GROUP', group.id));
      if (!isIt || --left > 0) return false;
      void ann.kill().then(killed.resolve);
      return true;
    };
    await ann.call('sendToGroup', message).catch(() => undefined);
    await killed.promise;
    proxy.cuts = () => false;
    await ann.start();
    expect(await ann.call('sendToGroup', message)).toMatchObject({ messageId: message.messageId });
    const [first = [], second = []] = await Promise.all(members.map((member) => waiting(member)));
    expect(first).toMatchObject([{ text }]);
    expect(second.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
  }
});
