/**
 * A computer that slept while it was locked has an open call that will never be answered: after waking up it
 * calls again.
 */
import { expect, test } from 'vitest';
import { WaitingMessages } from '../../../src/host/waiting-messages.ts';
import { newPerson } from '../../support/person.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { TestRelay } from '../../support/relay.ts';
import { stopTimers } from '../../support/stopped-timers.ts';

test('a dead call and a long wait end when the computer wakes', async () => {
  // No wait times out: the call after the cut one is made because the computer woke up.
  using _ = stopTimers();
  await using relay = await new TestRelay().start();
  await using proxy = await new CuttingProxy().start();
  proxy.target = relay.url;
  const ann = await newPerson(relay);
  const ben = await newPerson(relay);
  const envelope = ann.seal(ben, ben.device, 'while you slept', true);
  await relay.call('sendEnvelopes', { token: ann.token, body: { envelopes: [envelope] } });

  const calls = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const never = new Promise<boolean>(() => undefined);
  let count = 0;
  proxy.cuts = ({ path, stage }) => {
    if (stage === 'after' || !path.includes('/inbox')) return false;
    calls[count++]?.resolve();
    // The first never returns, the second is cut, the third succeeds.
    return [never, true, false][count - 1] ?? false;
  };
  const announced = Promise.withResolvers<void>();
  const access = {
    relayUrl: proxy.url,
    token: ben.token,
    address: ben.address,
    deviceId: ben.device.id,
    expiresAt: Date.now() + 60_000,
  };
  const waiting = new WaitingMessages(access, announced.resolve);
  try {
    await calls[0]?.promise;
    waiting.retry();
    await calls[1]?.promise;
    // The call is cut shortly after its arrival; until its failure there is no wait to end.
    const retrying = setInterval(() => waiting.retry(), 200);
    await announced.promise.finally(() => clearInterval(retrying));
    expect(count).toBeGreaterThanOrEqual(3);
  } finally {
    waiting.close();
  }
});
