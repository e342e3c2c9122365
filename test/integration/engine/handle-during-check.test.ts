/** The daily check of the own account, during which the handle changes. The relay is real. */
import { expect, test } from 'vitest';
import type { RelayApi } from '../../../src/client/api.ts';
import { Directory } from '../../../src/engine/directory.ts';
import { openAccount as openRelayAccount, registrationOf } from '../../../src/engine/identity/account.ts';
import { generatePhrase, walletFromPhrase } from '../../../src/protocol/wallet.ts';
import { openAccount } from '../../support/cached-account.ts';
import { TestRelay } from '../../support/relay.ts';

async function openRegistered() {
  await using resources = new AsyncDisposableStack();
  const relay = resources.use(await new TestRelay().start());
  const wallet = walletFromPhrase(generatePhrase());
  const events: string[] = [];
  const { context } = resources.use(openAccount(wallet.address, Date.now, (name) => events.push(name)));
  const { identity } = context;
  const deviceSeed = identity.get()?.deviceSeed ?? new Uint8Array();
  const account = openRelayAccount(
    { address: wallet.address, walletKey: wallet.privateKey, deviceSeed },
    relay.url,
  );
  resources.defer(() => account.relay.close());
  const registration = registrationOf(context, account);
  await registration.ensure();
  identity.saveProfile(await account.relay.claimHandle('ann'));
  registration.recheck();
  const kept = resources.move();
  return {
    context,
    events,
    identity,
    account,
    registration,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Changes something between the relay's next answer about the account and its arrival. */
function afterNextAnswer({ relay }: { relay: RelayApi }, change: () => Promise<void>): void {
  const me = relay.me.bind(relay);
  relay.me = async () => {
    relay.me = me;
    const before = await me();
    await change();
    return before;
  };
}

test('a handle that is changed here during the check stays', async () => {
  await using opened = await openRegistered();
  const { identity, account, registration } = opened;
  afterNextAnswer(account, async () => identity.saveProfile(await account.relay.claimHandle('annie')));
  await registration.ensure();
  expect(identity.profile().handle).toBe('annie');
});

test('another computer that changes the handle during the check causes another one', async () => {
  await using opened = await openRegistered();
  const { identity, account, registration } = opened;
  afterNextAnswer(account, async () => {
    await account.relay.claimHandle('annie');
    registration.recheck();
  });
  await registration.ensure();
  expect(identity.profile().handle).toBe('ann');
  await registration.ensure();
  expect(identity.profile().handle).toBe('annie');
});

test('a handle that another computer has changed is the own one in chats, and the page is informed', async () => {
  await using opened = await openRegistered();
  const { context, events, identity, account, registration } = opened;
  const own = identity.get()?.address ?? '';
  context.contacts.ensure(own, Date.now());
  context.contacts.saveOwn({ address: own, handle: 'ann', displayName: null, verified: false });
  const note = context.conversations.ensure(context.contacts.ensure(own, Date.now()).id, 'accepted', 0);
  await account.relay.claimHandle('annie');
  await registration.ensure();
  expect(context.contacts.profile(own).handle).toBe('annie');
  expect(context.conversations.get(note.id)?.partner).toMatchObject({ peer: { handle: 'annie' } });
  expect(events).toEqual(expect.arrayContaining(['app.changed', 'people.changed', 'conversations.changed']));
});

/** The relay's public answers about the own address, with a mark as if its operator had verified the handle. */
function verifyHandle({ relay }: { relay: RelayApi }): void {
  const keys = relay.keys.bind(relay);
  relay.keys = async (address) => {
    const published = await keys(address);
    return (
      published && { ...published, profile: published.profile && { ...published.profile, verified: true } }
    );
  };
}

test('a relay that answers the owner with an old handle changes no name in chats', async () => {
  await using opened = await openRegistered();
  const { context, identity, account, registration } = opened;
  const own = identity.get()?.address ?? '';
  const directory = new Directory(context, account.relay, own, {
    onOwnProfile: () => registration.recheck(),
  });
  await directory.keys.lookUp(own, 0);
  const old = await account.relay.me();
  await account.relay.claimHandle('annie');
  const me = account.relay.me.bind(account.relay);
  account.relay.me = async () => ({ ...(await me()), handle: old.handle });
  await directory.keys.lookUp(own, 0);
  await registration.ensure();
  expect(identity.profile().handle).toBe('ann');
  expect(context.contacts.profile(own).handle).toBe('ann');
  account.relay.me = me;
  await directory.keys.lookUp(own, 0);
  await registration.ensure();
  expect(identity.profile().handle).toBe('annie');
  expect(context.contacts.profile(own).handle).toBe('annie');
});

test('a new own handle that is verified has its mark, also after a verified one', async () => {
  await using opened = await openRegistered();
  const { context, identity, account, registration } = opened;
  verifyHandle(account);
  const own = identity.get()?.address ?? '';
  const directory = new Directory(context, account.relay, own, {
    onOwnProfile: () => registration.recheck(),
  });
  await directory.keys.lookUp(own, 0);
  expect(context.contacts.profile(own)).toMatchObject({ handle: 'ann', handleVerified: true });
  await account.relay.claimHandle('annie');
  await directory.keys.lookUp(own, 0);
  await registration.ensure();
  await directory.keys.lookUp(own, 0);
  expect(context.contacts.profile(own)).toMatchObject({ handle: 'annie', handleVerified: true });
});

test('a relay that gives the own handle to someone else does not take it from the own name in chats', async () => {
  await using opened = await openRegistered();
  const { context, identity, account } = opened;
  const own = identity.get()?.address ?? '';
  await new Directory(context, account.relay, own).keys.lookUp(own, 0);
  const other = `0x${'9'.repeat(40)}`;
  context.contacts.ensure(other, 0);
  context.contacts.saveProfile({ address: other, handle: 'ann', displayName: null, verified: false });
  expect(context.contacts.profile(own).handle).toBe('ann');
});
