/**
 * Programs on the library whose stored state has become outdated a moment ago.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../../../src/client/index.ts';
import { newBot } from '../../support/bots.ts';
import { eventually } from '../../support/engine.ts';
import { Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

function walletOf({ identity }: { identity: { wallet: Wallet | null } }): Wallet {
  if (!identity.wallet) throw new Error('this identity has no wallet');
  return identity.wallet;
}

test('a recipient whose first device is new is written to', async () => {
  const ann = await newBot(relay);
  const ben = await new Person(relay).login();
  await expect(ann.client.send(ben.address, 'too early')).rejects.toMatchObject({ code: 'no_device' });
  await ben.publishDevices();
  expect((await ann.client.send(ben.address, 'in time')).envelopeIds).toHaveLength(1);
});

test('a newer own list that someone sealed for is requested while the program waits', async () => {
  const [ann, ben] = [await newBot(relay), await newBot(relay)];
  const stop = new AbortController();
  const received: (string | null)[] = [];
  const loop = (async () => {
    for await (const { text } of ben.client.messages({ signal: stop.signal })) received.push(text);
  })();
  await newBot(relay, { wallet: walletOf(ben) });
  expect(ben.identity.deviceList?.sequence).toBe(1);
  await ann.client.send(ben.identity.address, 'sealed by list 2');
  await ann.client.send(ben.identity.address, 'and once more');
  await eventually(
    async () => received,
    (texts) => texts.includes('sealed by list 2'),
  );
  expect(ben.identity.deviceList?.sequence).toBe(2);
  stop.abort();
  await loop;
});
