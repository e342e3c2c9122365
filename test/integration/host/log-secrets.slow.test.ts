/**
 * Absent from log, diagnostics and other files: contents, names, addresses, servers and secrets.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { logTo } from '../../../src/base/log.ts';
import { logFolder, openLog } from '../../../src/base/node/log-files.ts';
import type { Settings } from '../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import { createCalls } from '../../../src/host/calls.ts';
import {
  callEngine,
  eventually,
  openChat,
  setUp,
  TestEngine,
  temporaryFolder,
} from '../../support/engine.ts';
import { logText } from '../../support/log-text.ts';
import { TestRelay } from '../../support/relay.ts';
import { testSession } from '../../support/session.ts';

afterEach(() => logTo(null));

const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url);
const INFO = { kind: 'browser', version: '0', platform: 'linux' } as const;

/** An engine's thread in a private folder, in which a list of conversations fails with an error that contains its data. */
function leakingEngine(folder: string, marker: string): URL {
  mkdirSync(join(folder, marker));
  const path = join(folder, marker, `${marker}.ts`);
  const message = `${marker}\\n    at ${marker} (${source('engine').pathname}/${marker}.ts:1:1)`;
  writeFileSync(
    path,
    `import { Conversations } from '${source('engine/cache/conversations.ts').href}';
Conversations.prototype.list = () => {
  throw Object.assign(new Error('${message}'), { code: '${marker} is no code' });
};
await import('${source('engine/worker.ts').href}');
`,
  );
  return pathToFileURL(path);
}

test('secrets planted in errors of engine, host and page are in no log and no report', async () => {
  using folder = temporaryFolder();
  const marker = 'MARKERleak';
  const log = openLog(logFolder(folder.path));
  logTo(log.write);
  const session = testSession(folder.path, {
    workers: {
      engine: leakingEngine(folder.path, marker),
      sealing: source('engine/sealing/worker.ts'),
      files: source('engine/files/worker.ts'),
      embedded: source('embedded/worker.ts'),
      store: source('relay/store/sqlite/worker.ts'),
    },
  });
  await session.start();
  const settings = {
    get store(): Settings {
      return defaultSettings;
    },
    set store(_: Settings) {
      throw new Error(`cannot write /home/${marker}/settings.json`);
    },
  };
  const copy = async () => {
    throw new TypeError(`no ${marker}`);
  };
  const calls = createCalls({ session, settings, copy, info: INFO });
  const ids: string[] = [];
  for (const [name, input] of [
    ['conversations.list', {}],
    ['clipboard.copy', { text: marker, isSecret: true }],
  ] as const) {
    const answer = await calls.call(name, input);
    if (answer.ok || answer.failure.code !== 'unexpected') throw new Error(`${name} did not break`);
    ids.push(answer.failure.parameters.id);
  }
  expect(await calls.call('settings.set', { theme: 'dark' })).toMatchObject({ ok: false });
  const report = {
    name: 'RangeError',
    message: `of ${marker}`,
    stack: `RangeError: of ${marker}\n    at draw (${marker}:1:1)`,
  };
  const reported = (await calls.call('diagnostics.report', report)) as { ok: true; value: { id: string } };
  ids.push(reported.value.id);

  const text = await logText(calls);
  // Each is described by its class and the place where it was thrown.
  for (const id of ids) expect(text).toContain(`"id":"${id}"`);
  expect(text).toContain('"event":"settings.unsaved"');
  expect(text).toContain('at conversations.list (src/engine/procedures/conversations.ts:');
  await session.close();
  logTo(null);
  await log.close();
  expect(text + (await logText(calls))).not.toContain(marker);
});

test('C17: content, names, recipients and places are in no log and no report', async () => {
  await using relay = await new TestRelay().start();
  await using peer = await new TestEngine(relay.url).start();
  using folder = temporaryFolder();
  const log = openLog(logFolder(folder.path));
  logTo(log.write);
  const passphrase = 'MARKERpassphrase of four words';
  const session = testSession(folder.path, { relay: relay.url, mayBePlain: false });
  await session.start(passphrase);
  const calls = createCalls({ session, settings: { store: defaultSettings }, info: INFO });

  const me = await setUp(session, 'marker_me');
  const other = await setUp(peer, 'marker_peer');
  const secrets: Record<string, string> = {
    passphrase,
    'a text': 'MARKERtext',
    'a draft': 'MARKERdraft',
    'a name': 'MARKERname',
    'name of a group': 'MARKERgroup',
    'password of a group': 'MARKERpassword',
    'a handle': 'marker_me',
    'another handle': 'marker_peer',
    'a device': me.deviceId,
    'the phrase': (await session.revealSecret(passphrase)).secret,
    'the relay': new URL(relay.url).host,
    ...Object.fromEntries(
      [me, other].flatMap(({ address }, index) => [
        [`address ${index}`, address.slice(2)],
        [`address ${index} in small letters`, address.slice(2).toLowerCase()],
      ]),
    ),
  };
  await callEngine(session, 'profile.save', { displayName: secrets['a name'] ?? '' });
  const { id } = await openChat(session, 'marker_peer');
  await callEngine(session, 'messages.send', { conversationId: id, text: secrets['a text'] ?? '' });
  await callEngine(session, 'conversations.saveDraft', { id, text: secrets['a draft'] ?? '' });
  const back = await openChat(peer, 'marker_me');
  await callEngine(peer, 'messages.send', { conversationId: back.id, text: secrets['a text'] ?? '' });
  const group = await callEngine(session, 'groups.create', {
    name: secrets['name of a group'] ?? '',
    description: '',
    join: { mode: 'password', password: secrets['password of a group'] ?? '' },
  });
  await callEngine(session, 'messages.send', { conversationId: group.id, text: secrets['a text'] ?? '' });
  // The peer's message arrives before the lock, after which the relay stops.
  await eventually(
    () => logText(calls),
    (known) => known.includes('engine.polled'),
  );
  await calls.call('lock.now', {});
  await calls.call('lock.unlock', { passphrase: 'a guess' });
  await calls.call('lock.unlock', { passphrase });
  await callEngine(session, 'people.resolve', { query: '@marker_nobody' }).catch(() => undefined);
  await relay.stop();
  await callEngine(session, 'connection.retry', {});

  const text = await eventually(
    () => logText(calls),
    (known) =>
      ['engine.sent', 'engine.polled', 'engine.offline', '\nproblem: relay_'].every((event) =>
        known.includes(event),
      ),
  );
  // Durations and counts are in the log.
  for (const event of [
    'cache.opened',
    'cache.migrated',
    'engine.started',
    'session.opened',
    'session.unlocked',
  ])
    expect(text).toMatch(new RegExp(`"event":"${event}".*"ms":\\d+`));
  expect(text).toMatch(/^key: passphrase$/m);
  expect(text).toMatch(/^relay: other$/m);
  expect(text).toMatch(/^groups: 1$/m);
  await peer.close();
  await session.close();
  logTo(null);
  await log.close();
  const all = text + (await logText(calls));
  for (const [kind, secret] of Object.entries(secrets)) {
    expect(secret.length, kind).toBeGreaterThan(8);
    expect(all.includes(secret), kind).toBe(false);
  }
});
