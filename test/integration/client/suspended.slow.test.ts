/**
 * Reports of a suspension at a relay, in plain words: in the app, by the library and by the
 * command line.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failedWith } from '../../../src/base/failure.ts';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { wordsIn } from '../../../src/words/catalogues.ts';
import { failureSentence } from '../../../src/words/failures.ts';
import { newBot, waiting } from '../../support/bots.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  TestEngine,
  temporaryFolder,
} from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { waxwing } from '../../support/waxwing-command.ts';

const relay = new TestRelay({ admin: true });
const folder = temporaryFolder();
beforeAll(() => relay.start());
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const suspend = (handle: string, suspended = true) =>
  runAdminCommand(relay.folder.path, 'suspend', { account: { handle }, suspended });

test('by the library, with code and sentence, and no longer after it ends', async () => {
  const ann = await newBot(relay, { handle: 'ann_lib' });
  await newBot(relay, { handle: 'ben_lib' });
  await suspend('ann_lib');
  for (const act of [() => ann.client.send('@ben_lib', 'hi'), () => waiting(ann), () => ann.client.me()]) {
    const error = await act().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(failedWith(error, 'account_suspended')).toBe(true);
    expect(String(error)).toMatch(
      /This account is suspended at this relay\. Ask the operator of the relay why\.$/,
    );
  }
  await suspend('ann_lib', false);
  expect(await ann.client.send('@ben_lib', 'hi')).toMatchObject({ undelivered: [] });
});

test('by the command line, with the exit code of a refused credential', async () => {
  const file = join(folder.path, 'ann.json');
  await newBot(relay, { handle: 'ann_cli', file });
  await newBot(relay, { handle: 'ben_cli' });
  await suspend('ann_cli');
  const env = { WAXWING_RELAY: relay.url, WAXWING_IDENTITY: file };
  for (const args of [['me'], ['send', '@ben_cli', 'hi'], ['inbox']]) {
    const { code, stdout, stderr } = await waxwing([...args, '--json'], { env });
    expect([code, stdout]).toEqual([3, '']);
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toEqual({
      error: {
        code: 'account_suspended',
        reason: 'account_suspended',
        message: 'This account is suspended at this relay. Ask the operator of the relay why.',
      },
    });
  }
});

test('by the app, in the list and at an unsent message, and the app continues after it ends', async () => {
  await newBot(relay, { handle: 'ben_app' });
  await using engine = await new TestEngine(relay.url).start();
  await setUp(engine, 'ann_app');
  const chat = await openChat(engine, 'ben_app');
  const connection = () => callEngine(engine, 'connection.get', {});
  await eventually(connection, ({ state }) => state === 'online');
  await suspend('ann_app');
  const { problem } = await eventually(connection, (now) => now.problem?.code === 'account_suspended');
  expect(problem && failureSentence(wordsIn('en'), problem)).toBe(
    'The administrator of this server has suspended your account. Ask them about it.',
  );

  const { id } = await callEngine(engine, 'messages.send', { conversationId: chat.id, text: 'hi' });
  const message = async () => (await allMessages(engine)).find((each) => each.id === id);
  const failed = await eventually(message, (now) => now?.state === 'failed');
  expect(failed?.problem).toMatchObject({ code: 'account_suspended' });

  await suspend('ann_app', false);
  await callEngine(engine, 'connection.retry', {});
  await eventually(connection, ({ state, problem: now }) => state === 'online' && now === null);
  await callEngine(engine, 'messages.retry', { id });
  await eventually(message, (now) => now?.state === 'sent');
});
