/** Deletion of an account by the app, at a real relay. */
import { expect, test } from 'vitest';
import type { Output } from '../../../src/bridge/contract.ts';
import {
  callEngine,
  eventually,
  linkEngines,
  openChat,
  setUp,
  type TestEngine,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const DAY = 24 * 3_600_000;

type Deletion = Output<'app.state'>['deletion'];

async function deletionOf(engine: TestEngine): Promise<Deletion> {
  return (await callEngine(engine, 'app.state', {})).deletion;
}

/** Asks until an engine reports a matching deletion. */
function untilReported(engine: TestEngine, matches: (deletion: Deletion) => boolean): Promise<Deletion> {
  return eventually(() => deletionOf(engine), matches);
}

async function secretOf(engine: TestEngine): Promise<string> {
  return (await engine.handle.recoverySecret()) ?? '';
}

async function joinedGroups(engine: TestEngine): Promise<boolean[]> {
  const conversations = await callEngine(engine, 'conversations.list', {});
  return conversations.flatMap((each) => (each.kind === 'group' ? [each.group.joined] : []));
}

test('the app ends an account in seven days; each computer reports it and can cancel it', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  await using desktop = await new LocalEngine(relay.url).start();
  await callEngine(desktop, 'setup.finish', {
    relay: { kind: 'embedded' },
    identity: { kind: 'import', secret: await secretOf(laptop) },
  });
  await callEngine(laptop, 'groups.create', { name: 'Birds', description: '', join: { mode: 'open' } });
  expect(await deletionOf(laptop)).toBeNull();

  await callEngine(laptop, 'account.delete', { secret: null });
  const planned = await deletionOf(laptop);
  expect(planned).toMatchObject({ kind: 'planned' });
  const { at } = planned as { at: number };
  expect(Math.abs(at - (relay.now() + 7 * DAY))).toBeLessThan(DAY);
  expect(await joinedGroups(laptop)).toEqual([false]);

  await desktop.close();
  await desktop.start();
  expect(await untilReported(desktop, (deletion) => deletion !== null)).toEqual({ kind: 'planned', at });
  await callEngine(desktop, 'account.keep', {});
  expect(await deletionOf(desktop)).toBeNull();
  await laptop.close();
  await laptop.start();
  await eventually(
    () => callEngine(laptop, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
  expect(await deletionOf(laptop)).toBeNull();
});

test('the recovery phrase ends it now, for the other computers too; only the person restores it', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using desktop = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  const secret = await secretOf(laptop);
  await callEngine(desktop, 'setup.finish', {
    relay: { kind: 'embedded' },
    identity: { kind: 'import', secret },
  });
  const chat = await openChat(laptop, 'ben');

  const wrong = callEngine(laptop, 'account.delete', { secret: await secretOf(ben) });
  await expect(wrong).rejects.toMatchObject({ code: 'other_account' });
  await expect(callEngine(laptop, 'account.delete', { secret: 'nonsense' })).rejects.toMatchObject({
    code: 'secret_one_word',
  });
  expect(await deletionOf(laptop)).toBeNull();

  await callEngine(laptop, 'account.delete', { secret });
  expect(await deletionOf(laptop)).toEqual({ kind: 'done' });
  await callEngine(desktop, 'connection.retry', {});
  await untilReported(desktop, (deletion) => deletion?.kind === 'done');
  await laptop.close();
  await laptop.start();
  expect(await untilReported(laptop, (deletion) => deletion !== null)).toEqual({ kind: 'done' });
  // Local messages stay and can be read.
  expect(await callEngine(laptop, 'conversations.get', { id: chat.id })).toMatchObject({ id: chat.id });
  await expect(callEngine(ben, 'people.resolve', { query: '@ann' })).rejects.toMatchObject({
    code: 'handle_unknown',
  });

  await callEngine(laptop, 'account.reopen', { secret: null });
  expect(await deletionOf(laptop)).toBeNull();
  expect((await callEngine(laptop, 'app.state', {})).me).toMatchObject({ handle: 'ann' });
  expect(await callEngine(ben, 'people.resolve', { query: '@ann' })).toMatchObject({ handle: 'ann' });
  await callEngine(desktop, 'connection.retry', {});
  await untilReported(desktop, (deletion) => deletion === null);
});

test('a linked computer without the phrase ends and reopens the account with the typed one', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using desktop = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  await linkEngines(laptop, desktop);
  const secret = await secretOf(laptop);
  await callEngine(desktop, 'account.delete', { secret });
  expect(await deletionOf(desktop)).toEqual({ kind: 'done' });
  const reopen = (typed: string | null) => callEngine(desktop, 'account.reopen', { secret: typed });
  await expect(reopen(null)).rejects.toMatchObject({ code: 'wallet_not_kept' });
  await reopen(secret);
  expect(await deletionOf(desktop)).toBeNull();
  expect((await callEngine(desktop, 'app.state', {})).me).toMatchObject({ handle: 'ann' });
});

test('the phrase of a deleted account reopens it on a new computer', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using fresh = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  const secret = await secretOf(laptop);
  await callEngine(laptop, 'account.delete', { secret });
  await callEngine(fresh, 'setup.finish', {
    relay: { kind: 'embedded' },
    identity: { kind: 'import', secret },
  });
  expect(await deletionOf(fresh)).toBeNull();
});

test('the owner of a group with other members gets its name, and leaves no group', async () => {
  await using relay = await new TestRelay().start();
  await using ann = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  const made = await callEngine(ann, 'groups.create', {
    name: 'Birds',
    description: '',
    join: { mode: 'open' },
  });
  await callEngine(ann, 'groups.create', { name: 'Alone', description: '', join: { mode: 'open' } });
  if (made.kind !== 'group') throw new Error('no group was made');
  await callEngine(ben, 'groups.join', { groupId: made.group.groupId, password: null });
  await callEngine(ann, 'groups.details', { conversationId: made.id });

  for (const secret of [null, await secretOf(ann)]) {
    await expect(callEngine(ann, 'account.delete', { secret })).rejects.toMatchObject({
      code: 'owned_groups',
      parameters: { names: 'Birds', more: 0 },
    });
  }
  expect(await deletionOf(ann)).toBeNull();
  expect(await joinedGroups(ann)).toEqual([true, true]);

  await callEngine(ann, 'groups.leave', { conversationId: made.id });
  await callEngine(ann, 'account.delete', { secret: null });
  expect(await deletionOf(ann)).toMatchObject({ kind: 'planned' });
});
