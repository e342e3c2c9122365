/**
 * Our app with a clock that is days apart from the relay's: docs/protocol.md §7, 'Clocks'.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { Inbox, Keys } from '../../interop/by-hand/calls.ts';
import { callEngine, eventually, type TestEngine } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

let relay: TestRelay;
let ada: Account;
/** An app with ada's wallet, so that ada can read its queue. */
let app: TestEngine;

beforeEach(async () => {
  relay = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
  ada = await Account.signUp(relay.url);
  app = await new LocalEngine(relay.url).start();
  const identity = { kind: 'import' as const, secret: ada.privateKey };
  await callEngine(app, 'setup.finish', { relay: { kind: 'embedded' }, identity });
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
});

it('§7: it accepts nothing from its queue until the clocks agree again', async () => {
  const { deviceList } = await ada.session.expect<Keys>(200, 'GET', `/keys/${ada.address}`);
  const device = deviceList.devices.find(({ deviceId }) => deviceId !== ada.device.listed.deviceId);
  const bob = await Account.signUp(relay.url);
  await app.close();
  const copies = await bob.sealFor(await bob.keysOf(ada.address), bob.text(ada.address, 'Hello'));
  await bob.session.expect(200, 'POST', '/envelopes', { envelopes: copies });

  relay.ahead = 2 * 86_400_000;
  await app.start();
  await callEngine(app, 'connection.retry', {});
  await ada.login();
  const queue = () => ada.session.expect<Inbox>(200, 'GET', `/inbox?device=${device?.deviceId}`);
  await eventually(
    () => callEngine(app, 'connection.get', {}),
    (status) => /clock/i.test(JSON.stringify(status)),
  );
  expect((await queue()).envelopes).toHaveLength(1);
  expect(await callEngine(app, 'conversations.list', {})).toEqual([]);

  relay.ahead = 0;
  await ada.login();
  await callEngine(app, 'connection.retry', {});
  await eventually(
    () => callEngine(app, 'conversations.list', {}),
    (all) => all.length === 1,
  );
  await eventually(queue, ({ envelopes }) => envelopes.length === 0);
});
