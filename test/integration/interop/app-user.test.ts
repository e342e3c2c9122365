/**
 * A client written from the protocol's page alone, and the view of its messages in our app, over the real relay. Tests that
 * apply to programs on the library as well are in user-messages.test.ts.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import { only } from '../../interop/by-hand/only.ts';
import { allMessages, callEngine, eventually } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { WithApp } from './with-app.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

it('a first message is a request; after acceptance all messages are in one conversation', async () => {
  await using pair = await WithApp.start(relay.url);
  const { ada, grace, engine } = pair;
  const copies = await ada.sealFor(await ada.keysOf(grace), ada.text(grace, 'May I write to you?'), {
    asRequest: true,
  });
  await pair.post(copies);
  const arrived = await eventually(
    () => allMessages(engine),
    (messages) => messages.length > 0,
  );
  expect(only(arrived)).toMatchObject({
    text: 'May I write to you?',
    sender: ada.shownAddress,
    state: 'received',
    trust: 'verified',
  });
  const conversation = await pair.conversation();
  expect(conversation).toMatchObject({ state: 'request', peer: { address: ada.shownAddress } });
  const accepted = await callEngine(engine, 'conversations.accept', { id: conversation.id });
  expect(accepted.state).toBe('accepted');
  expect((await pair.answer('You may')).state).toBe('sent');
  await pair.write(ada.text(grace, 'Good'));
  await pair.comes('Good');
  expect((await allMessages(engine)).map(({ text, state, trust }) => [text, state, trust])).toEqual([
    ['May I write to you?', 'received', 'verified'],
    ['You may', 'sent', 'self'],
    ['Good', 'received', 'verified'],
  ]);
});

it('a message of an independent client with the same wallet is shown as own', async () => {
  const ada = await Account.signUp(relay.url);
  await using app = await new LocalEngine(relay.url).start();
  const identity = { kind: 'import' as const, secret: ada.privateKey };
  await callEngine(app, 'setup.finish', { relay: { kind: 'embedded' }, identity });
  const bob = await Account.signUp(relay.url);
  const own = await ada.keysOf(ada.address);
  const others = own.deviceKeys.filter((key) => key !== ada.device.sealKeys.publicKey);
  const copies = await ada.sealFor({ ...own, deviceKeys: others }, ada.text(bob.address, 'from this client'));
  for (const copy of copies) await ada.session.expect(201, 'POST', '/envelopes', copy);
  const shown = await eventually(
    () => allMessages(app),
    (messages) => messages.length > 0,
  );
  expect(shown.map(({ text, trust }) => [text, trust])).toEqual([['from this client', 'self']]);
});
