import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { engineProcedures } from '../../../src/bridge/contract.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { createCalls } from '../../../src/host/calls.ts';
import { EngineStarter } from '../../../src/host/engine-starter.ts';
import { DataKey } from '../../../src/host/keys/data-key.ts';
import type { Session } from '../../../src/host/session.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  temporaryFolder,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { MemoryKeyStore, testSession } from '../../support/session.ts';

afterEach(() => vi.useRealTimers());

const PASSPHRASE = 'a passphrase for a test';

const relay = new TestRelay();
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

function sessionAt(folder: string, store: MemoryKeyStore | null = null): Session {
  return testSession(folder, { findStore: async () => store, mayBePlain: false, relay: relay.url });
}

/** Waits until the engine has handed over the wrap for the recovery phrase. */
async function recoverable(session: Session): Promise<void> {
  await eventually(
    async () => session.state.canBeRecovered,
    (is) => is,
  );
}

test('C16: with App lock, locked means closed: no call is answered, and the passphrase opens it again', async () => {
  using folder = temporaryFolder();
  const session = sessionAt(folder.path, new MemoryKeyStore());
  await session.start();
  await setUp(session, 'locker');
  await expect(session.turnOn('locker 2026'), 'the own handle').rejects.toMatchObject({
    code: 'passphrase_guessable',
    parameters: { reason: 'own_name' },
  });
  expect(session.protection.kind).toBe('os-key-store');
  await session.turnOn(PASSPHRASE);
  await expect(session.changePassphrase(PASSPHRASE, 'locker12')).rejects.toMatchObject({
    code: 'passphrase_guessable',
  });
  expect([session.state.phase, session.protection.kind]).toEqual(['open', 'passphrase']);

  const emitted: unknown[] = [];
  session.onEvent((name, payload) => emitted.push([name, payload]));
  await session.lock();
  expect(emitted).toEqual([['lock.changed', session.state]]);
  expect(session.state).toMatchObject({ phase: 'locked', because: 'passphrase' });
  for (const name of Object.keys(engineProcedures)) {
    expect(await session.call(name, {}), name).toMatchObject({ ok: false, failure: { code: 'locked' } });
  }
  await expect(session.turnOff(PASSPHRASE)).rejects.toMatchObject({ code: 'locked' });
  await expect(session.changePassphrase(PASSPHRASE, PASSPHRASE)).rejects.toMatchObject({ code: 'locked' });
  await expect(session.unlock('not the one')).rejects.toMatchObject({ code: 'passphrase_wrong' });
  await session.unlock(PASSPHRASE);
  expect(await session.call('app.state', {})).toMatchObject({ ok: true, value: { phase: 'ready' } });
  await session.turnOff(PASSPHRASE);
  await session.lock();
  expect(session.isOpen, 'without a passphrase there is nothing to unlock with').toBe(true);
  await session.close();
});

test('C16: calls from before the lock are not answered after it', async () => {
  using folder = temporaryFolder();
  const session = sessionAt(folder.path);
  await session.start();
  await session.choose(PASSPHRASE);
  const underWay = session.call('app.state', {});
  await session.lock();
  expect(await underWay).toMatchObject({ ok: false, failure: { code: 'locked' } });
  await session.close();
});

test('the engine returns a wrap for the recovery phrase, which opens the messages on another desktop', async () => {
  using folder = temporaryFolder();
  const gnome = new MemoryKeyStore('keyring/gnome');
  const before = sessionAt(folder.path, gnome);
  const emitted: unknown[] = [];
  before.onEvent((name, payload) => name === 'lock.changed' && emitted.push(payload));
  await before.start();
  const { words, places } = await callEngine(before, 'setup.newPhrase', {});
  const answers = places.map((place) => words[place - 1] ?? '');
  await callEngine(before, 'setup.finish', {
    relay: { kind: 'embedded' },
    identity: { kind: 'new', answers },
  });
  await callEngine(before, 'profile.save', { handle: 'mover', displayName: 'Mover' });
  await recoverable(before);
  expect(emitted.at(-1), 'what the window knows').toMatchObject({ phase: 'open', canBeRecovered: true });
  await before.close();

  const after = sessionAt(folder.path, new MemoryKeyStore('keyring/kde'));
  await after.start();
  expect(after.state).toMatchObject({ phase: 'locked', because: 'store-changed', canBeRecovered: true });
  await after.recover(words.join(' '), null);
  expect(await after.call('app.state', {})).toMatchObject({ ok: true, value: { me: { handle: 'mover' } } });
  await after.close();
});

test('a plain key without a wrap for the recovery phrase gets both wraps at the next start', async () => {
  using folder = temporaryFolder();
  const before = testSession(folder.path, { relay: relay.url });
  await before.start();
  await setUp(before, 'plain');
  await recoverable(before);
  await before.close();
  // As after a crash before the first wrap: only the key in its file.
  writeFileSync(join(folder.path, 'keys.json'), '{"version":1,"wraps":[]}');

  const session = sessionAt(folder.path, new MemoryKeyStore());
  await session.start();
  expect(await session.call('app.state', {})).toMatchObject({
    ok: true,
    value: { me: { handle: 'plain' } },
  });
  await recoverable(session);
  expect(readdirSync(folder.path)).not.toContain('database.key');
  await session.close();
});

test('a passphrase at the start is set and then opens; a wrong one is refused', async () => {
  using folder = temporaryFolder();
  const store = new MemoryKeyStore();
  for (let start = 0; start < 2; start++) {
    const session = sessionAt(folder.path, store);
    await session.start(PASSPHRASE);
    expect([session.isOpen, session.protection.kind]).toEqual([true, 'passphrase']);
    await session.close();
  }
  const session = sessionAt(folder.path, store);
  await expect(session.start('another passphrase')).rejects.toMatchObject({ code: 'passphrase_wrong' });
  await session.close();
});

test('the session locks after the chosen time without use, and not before', async () => {
  using folder = temporaryFolder();
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  try {
    const session = testSession(folder.path, { autoLockMinutes: () => 5, relay: relay.url });
    // Waits for the current work of the session.
    const inTurn = () => session.retry().catch(() => undefined);
    await session.start(PASSPHRASE);
    vi.advanceTimersByTime(4 * 60_000);
    session.active();
    vi.advanceTimersByTime(4 * 60_000);
    await inTurn();
    expect(session.isOpen).toBe(true);
    vi.advanceTimersByTime(61_000);
    await inTurn();
    expect(session.state).toMatchObject({ phase: 'locked', because: 'passphrase' });
    await session.close();
  } finally {
    vi.useRealTimers();
  }
});

test('two simultaneous attempts count as two in the waiting times', async () => {
  // On a busy machine the guesses alone take longer than the wait.
  vi.useFakeTimers({ toFake: ['Date'] });
  using folder = temporaryFolder();
  const first = sessionAt(folder.path);
  await first.start(PASSPHRASE);
  await first.close();
  const session = sessionAt(folder.path);
  await session.start();
  const guesses = Array.from({ length: 6 }, (_, guess) => session.unlock(`guess number ${guess}`));
  const codes = (await Promise.allSettled(guesses)).map(
    (each) => each.status === 'rejected' && each.reason.code,
  );
  expect(codes.slice(0, 3)).toEqual(['passphrase_wrong', 'passphrase_wrong', 'passphrase_wrong']);
  expect(codes.slice(3)).toContain('attempts_too_many');
  await session.close();
});

test('C9: no byte in the data folder shows the key: with a passphrase, a key store, or a recovery wrap', async () => {
  using folder = temporaryFolder();
  const session = sessionAt(folder.path);
  await session.start(PASSPHRASE);
  await setUp(session, 'hidden');
  await recoverable(session);
  await session.lock();
  await session.close();
  const opener = new DataKey({ folder: folder.path, findStore: async () => null, mayBePlain: false });
  const key = Buffer.from(await opener.openByPassphrase(PASSPHRASE));
  for (const name of readdirSync(folder.path, { recursive: true, encoding: 'utf8', withFileTypes: true })) {
    if (!name.isFile()) continue;
    const bytes = readFileSync(join(name.parentPath, name.name));
    for (const form of [
      key,
      key.toString('hex'),
      key.toString('base64'),
      key.toString('base64url'),
      PASSPHRASE,
    ]) {
      expect(bytes.includes(form), name.name).toBe(false);
    }
  }
  expect(await allMessages(session).catch((error) => error.code)).toBe('locked');
});

test('a message that arrives while it locks is reported', async () => {
  using ownFolder = temporaryFolder();
  using otherFolder = temporaryFolder();
  const start = EngineStarter.prototype.start;
  const locking = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  using _ = vi.spyOn(EngineStarter.prototype, 'start').mockImplementationOnce(async function (
    this: EngineStarter,
    own,
  ) {
    const engine = await start.call(this, own);
    engine.onEvent((name) => name === 'message.arrived' && arrived.resolve());
    return {
      ...engine,
      // As on a busy computer: the engine ends after the message has arrived.
      inboxAccess: async () => {
        locking.resolve();
        await arrived.promise;
        return engine.inboxAccess();
      },
    };
  });
  const own = sessionAt(ownFolder.path);
  await own.start(PASSPHRASE);
  await setUp(own, 'late');
  const other = sessionAt(otherFolder.path);
  await other.start(PASSPHRASE);
  await setUp(other, 'prompt');
  const chat = await openChat(other, 'late');
  const locked = own.lock();
  await locking.promise;
  expect(own.state.phase).toBe('locked');
  await callEngine(other, 'messages.send', { conversationId: chat.id, text: 'just in time' });
  await locked;
  expect(own.state.messagesWaiting).toBe(true);
  await own.unlock(PASSPHRASE);
  expect(own.state.messagesWaiting).toBe(false);
  await own.close();
  await other.close();
});

test('locked, it reports new messages, and leaves them sealed at the relay until it is unlocked', async () => {
  using ownFolder = temporaryFolder();
  using otherFolder = temporaryFolder();
  const own = sessionAt(ownFolder.path);
  await own.start(PASSPHRASE);
  await setUp(own, 'away');
  const other = sessionAt(otherFolder.path);
  await other.start(PASSPHRASE);
  await setUp(other, 'writer');
  await own.lock();
  expect(own.state.messagesWaiting).toBe(false);
  const emitted: string[] = [];
  own.onEvent((name) => emitted.push(name));

  const chat = await openChat(other, 'away');
  await callEngine(other, 'messages.send', { conversationId: chat.id, text: 'are you there?' });
  await eventually(
    async () => own.state.messagesWaiting,
    (is) => is,
  );
  expect(emitted).toEqual(['lock.changed']);
  await own.unlock(PASSPHRASE);
  expect(own.state.messagesWaiting).toBe(false);
  const messages = await eventually(
    () => allMessages(own),
    ({ length }) => length > 0,
  );
  expect(messages.map(({ text }) => text)).toEqual(['are you there?']);
  await own.close();
  await other.close();
});

test('closing while locking does not wait', async () => {
  using ownFolder = temporaryFolder();
  using otherFolder = temporaryFolder();
  const own = sessionAt(ownFolder.path);
  await own.start(PASSPHRASE);
  await setUp(own, 'hasty');
  const other = sessionAt(otherFolder.path);
  await other.start(PASSPHRASE);
  await setUp(other, 'author');
  const locking = own.lock();
  await own.close();
  await locking;
  const emitted: string[] = [];
  own.onEvent((name) => emitted.push(name));

  const chat = await openChat(other, 'hasty');
  await callEngine(other, 'messages.send', { conversationId: chat.id, text: 'are you there?' });
  await eventually(
    () => allMessages(other),
    ([message]) => message?.state === 'sent',
  );
  // The only open call at the relay is the author's.
  await relay.untilPolling(1);
  expect(emitted).toEqual([]);
  await other.close();
});

test('a person who knows the passphrase can delete everything, and the rest cannot be opened', async () => {
  using folder = temporaryFolder();
  const session = sessionAt(folder.path);
  await session.start(PASSPHRASE);
  await setUp(session, 'leaver');
  await recoverable(session);
  const keys = join(folder.path, 'keys.json');
  const before = readFileSync(keys, 'utf8');
  await expect(session.wipe('a guess')).rejects.toMatchObject({ code: 'passphrase_wrong' });
  expect(await session.call('app.state', {})).toMatchObject({ ok: true, value: { phase: 'ready' } });
  expect(readFileSync(keys, 'utf8')).toBe(before);

  const oldKey = await new DataKey({
    folder: folder.path,
    findStore: async () => null,
    mayBePlain: false,
  }).openByPassphrase(PASSPHRASE);
  await session.wipe(PASSPHRASE);
  expect(session.state).toMatchObject({ phase: 'open', canBeRecovered: false });
  expect(await session.call('app.state', {})).toMatchObject({ ok: true, value: { phase: 'new', me: null } });
  await setUp(session, 'comer');
  await recoverable(session);
  await session.close();
  // As after a kill between moving the data away and deleting it.
  mkdirSync(join(folder.path, 'engine-deleted'));
  writeFileSync(join(folder.path, 'engine-deleted', 'messages'), 'old');
  const kept = new DataKey({ folder: folder.path, findStore: async () => null, mayBePlain: false });
  expect(await kept.openByPassphrase(PASSPHRASE)).not.toEqual(oldKey);

  const again = sessionAt(folder.path);
  await again.start(PASSPHRASE);
  expect(await again.call('app.state', {})).toMatchObject({ ok: true, value: { me: { handle: 'comer' } } });
  expect(readdirSync(folder.path)).not.toContain('engine-deleted');
  await again.close();
});

test('with a passphrase set, linking another computer needs it', async () => {
  using folder = temporaryFolder();
  await using fresh = await new LocalEngine(relay.url).start();
  const session = sessionAt(folder.path, new MemoryKeyStore());
  await session.start();
  await setUp(session, 'linker');
  const settings = { store: defaultSettings };
  const calls = createCalls({
    session,
    settings,
    info: { kind: 'electron', version: '0', platform: 'linux' },
  });
  const show = () => callEngine(fresh, 'setup.startLink', { relay: { kind: 'embedded' } });
  const { code } = await show();
  expect(await calls.call('devices.link', { code, withHistory: false, passphrase: null })).toMatchObject({
    ok: true,
  });
  await session.turnOn(PASSPHRASE);
  for (const passphrase of [null, '', 'a guess']) {
    const answer = await calls.call('devices.link', { code, withHistory: false, passphrase });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'passphrase_wrong' } });
  }
  expect(await calls.call('devices.link', { code, withHistory: false })).toMatchObject({
    ok: false,
    failure: { code: 'input_malformed' },
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  const next = await show();
  const linked = await calls.call('devices.link', {
    code: next.code,
    withHistory: false,
    passphrase: PASSPHRASE,
  });
  expect(linked).toMatchObject({ ok: true });
  await session.close();
});
