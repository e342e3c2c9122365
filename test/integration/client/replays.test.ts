/**
 * A relay that stores delivered envelopes, and delivers them to a bot again when it may have forgotten them; and other
 * unsigned data that it sends to a bot.
 */

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Identity, RelayClient } from '../../../src/client/index.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { directBody, forge, groupBody, type Target, targetOf } from '../../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { beginAs, joinAs, placeAt } from '../../support/relay-rosters.ts';

const DAY_SECONDS = 24 * 3_600;
const DAY = DAY_SECONDS * 1_000;

let hostile: HostileRelay | null = null;
beforeEach(() => {
  // The clock of this process and the relay advances only when a test sets it.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await hostile?.[Symbol.asyncDispose]();
});

const travel = (days: number) => vi.setSystemTime(Date.now() + days * DAY);

interface Scene {
  relay: HostileRelay;
  ann: Person;
  bot: Bot;
  target: Target;
}

async function newScene(retentionDays: number, file?: string): Promise<Scene> {
  hostile = await HostileRelay.start({ retentionSeconds: retentionDays * DAY_SECONDS });
  const ann = await newPerson(hostile.relay);
  const bot = await newBot({ url: hostile.url }, file === undefined ? {} : { file });
  return { relay: hostile, ann, bot, target: await targetOf(hostile, ann.token, bot.identity.address) };
}

/** Delivers an envelope as if it had just come. */
function deliver({ relay, target }: Scene, envelope: InboxEnvelope): void {
  const id = encodeBase64Url(randomBytes(32));
  relay.invent(target.deviceId, { ...envelope, id, receivedAt: encodeTime(Date.now()) });
}

function fromAnn({ ann, target }: Scene, fields: object): InboxEnvelope {
  const body = { ...directBody(ann.address, target.address, ''), ...fields };
  return forge(ann.address, target, { channel: 'direct', body }, ann.signer);
}

test('a message to a bot is not delivered again after 60 days: it is too old', async () => {
  const scene = await newScene(30);
  const order = fromAnn(scene, { text: 'deploy' });
  deliver(scene, order);
  expect(await waitingTexts(scene.bot)).toEqual(['deploy']);
  travel(60);
  deliver(scene, order);
  const refused: string[] = [];
  expect(await waiting(scene.bot, { onRefused: (_, { code }) => refused.push(code) })).toEqual([]);
  expect(refused).toEqual(['too_old']);
});

test('nor at a relay that keeps envelopes for 90 days, after the journal was rewritten', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'bot.json');
  const scene = await newScene(90, file);
  const order = fromAnn(scene, { text: 'deploy' });
  deliver(scene, order);
  expect(await waitingTexts(scene.bot)).toEqual(['deploy']);

  travel(60);
  const lines = Array.from({ length: 2_500 }, (_, sent) =>
    JSON.stringify({ conversation: scene.ann.address, sent }),
  );
  appendFileSync(`${file}.journal`, `\n${lines.join('\n')}`);
  const identity = Identity.open(file);
  expect(readFileSync(`${file}.journal`, 'utf8').trim().split('\n').length).toBeLessThan(10);
  const again = { identity, client: new RelayClient({ identity }) };
  deliver(scene, order);
  deliver(scene, fromAnn(scene, { text: 'something new' }));
  const refused: string[] = [];
  const received = await waiting(again, { onRefused: (_, { code }) => refused.push(code) });
  expect([received.map(({ text }) => text), refused]).toEqual([['something new'], []]);
});

test('a shorter announced retention does not make a bot forget or refuse messages', async () => {
  const scene = await newScene(30);
  const order = fromAnn(scene, { text: 'deploy' });
  const late = fromAnn(scene, { text: 'late' });
  deliver(scene, order);
  expect(await waitingTexts(scene.bot)).toEqual(['deploy']);
  scene.relay.lie(({ path, body }) =>
    path.endsWith('/me')
      ? { ...(body as object), limits: { ...limitsOf(body), retentionSeconds: 1 } }
      : undefined,
  );
  travel(40);
  deliver(scene, order);
  deliver(scene, late);
  expect(await waitingTexts(scene.bot)).toEqual(['late']);
});

function limitsOf(body: unknown): object {
  return (body as { limits: object }).limits;
}

test('a bot gets messages only, and controls and unknown kinds on request', async () => {
  const scene = await newScene(30);
  const deliverAll = () => {
    deliver(scene, fromAnn(scene, { text: 'a text' }));
    deliver(scene, fromAnn(scene, { kind: 'hello' }));
    deliver(scene, fromAnn(scene, { kind: 'reaction', emoji: ['x'] }));
    deliver(scene, fromAnn(scene, { kind: 'poll', fallback: 'Ann asks: lunch?' }));
  };
  deliverAll();
  expect(await waiting(scene.bot)).toMatchObject([
    { role: 'message', kind: 'text', text: 'a text', fromNewerVersion: false },
    { role: 'message', kind: 'poll', text: 'Ann asks: lunch?', fromNewerVersion: true },
  ]);
  deliverAll();
  const all = await waiting(scene.bot, { controls: true });
  expect(all.map(({ role, kind, text }) => [role, kind, text])).toEqual([
    ['message', 'text', 'a text'],
    ['control', 'hello', null],
    ['unknown', 'reaction', null],
    ['message', 'poll', 'Ann asks: lunch?'],
  ]);
});

test('a group token speaks to a bot only for the creator of its group', async () => {
  const scene = await newScene(30);
  const { ann, bot, target, relay } = scene;
  const ben = await newPerson(relay.relay);
  const id = await beginAs(ann, { unsignedBots: true });
  await joinAs(ben, id);
  await bot.client.joinGroup(id);
  const place = await placeAt(ann, id);
  const posted = (from: Person, text: string) =>
    forge(from.address, target, { channel: 'group', body: groupBody(from.address, id, place, text) }, null, {
      via: 'group_token',
    });
  const direct = { channel: 'direct' as const, body: directBody(ann.address, target.address, 'direct') };
  deliver(scene, posted(ann, 'by the creator'));
  deliver(scene, posted(ben, 'by a member'));
  deliver(scene, forge(ann.address, target, direct, null, { via: 'group_token' }));
  // The relay names another creator later: the first one stays.
  expect(await waitingTexts(bot)).toEqual(['by the creator']);
  relay.lie(({ method, path, body }) =>
    method === 'GET' && path.endsWith(`/groups/${id}`)
      ? { ...(body as object), creator: ben.address }
      : undefined,
  );
  deliver(scene, posted(ben, 'by a member, as the creator'));
  expect(await waitingTexts(bot)).toEqual([]);
});
