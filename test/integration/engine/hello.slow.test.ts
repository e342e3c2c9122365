/**
 * `hello` in the app: its visible effects and its recipients. Tests that apply to programs as well are in
 * test/integration/messaging/hello.slow.test.ts.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCache } from '../../../src/engine/cache/database.ts';
import type { GroupEnvelope } from '../../../src/protocol/schemas/groups.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { callEngine, eventually, linkEngines, TestEngine } from '../../support/engine.ts';
import { type Target, targetOf } from '../../support/hostile-relay/forgery.ts';
import { floodOfHellos, fromBehind, hellosTo } from '../../support/hostile-relay/hellos.ts';
import {
  conversationWith,
  type Honest,
  messagesOf,
  newHonest,
  textsOf,
  waitFor,
  write,
} from '../../support/hostile-relay/people.ts';
import type { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { moveClock, startClocked } from '../../support/hostile-relay/world.ts';
import { newPerson, type Person } from '../../support/person.ts';

const HOUR = 3_600_000;

let hostile: HostileRelay;
beforeEach(async () => {
  hostile = await startClocked();
});
afterEach(() => hostile[Symbol.asyncDispose]());

const newEngine = (handle: string) => newHonest(hostile, handle, new ClockedEngine(hostile.url));

/** A person without an app, to whom an engine writes. */
const as = ({ address }: Person, { engine }: Honest): Honest => ({ engine, address, handle: '' });

test('a hello makes a removed device useless although the relay hides its removal', async () => {
  const [ann, ben] = [await newEngine('ann'), await newEngine('ben')];
  const phone = hostile.use(await new TestEngine(hostile.url).start());
  await linkEngines(ann.engine, phone);
  // Both have accepted each other, and Ben knows both of Ann's devices.
  await write(ann, ben, 'hello Ben');
  await waitFor(ben, 'hello Ben');
  await write(ben, ann, 'hello Ann');
  await waitFor(ann, 'hello Ann');
  const { token } = ben.engine;
  const { body: before } = await hostile.relay.call('getKeys', { token, params: { address: ann.address } });
  expect(before.deviceKeys).toHaveLength(2);
  const own = (await callEngine(ann.engine, 'devices.list', {})).find(({ isThis }) => isThis);
  const phoneKey = before.sealKeys.find(({ deviceId }) => deviceId !== own?.id)?.key;

  // From now on the relay shows the earlier state to Ben only, for any request.
  hostile.lie(({ path, credential, status }) =>
    credential === token && status === 200 && path.includes(`/keys/${ann.address}`) ? before : undefined,
  );
  const bubbles = await textsOf(ben);
  const { unread } = await conversationWith(ben, ann);
  const notices = () => ben.engine.events.filter(({ name }) => name === 'message.arrived').length;
  const noticed = notices();
  const sentByBen = () =>
    hostile.requests.filter(
      ({ method, path, credential }) =>
        method === 'POST' && path.endsWith('/envelopes') && credential === token,
    );
  const sentBefore = sentByBen().length;
  const removed = (await callEngine(ann.engine, 'devices.list', {})).find(({ isThis }) => !isThis);
  await callEngine(ann.engine, 'devices.revoke', { id: removed?.id ?? '' });
  const details = () => callEngine(ben.engine, 'people.details', { address: ann.address });
  await eventually(details, ({ problem }) => problem?.kind === 'waiting');
  expect(await details()).toMatchObject({ listSequence: 3, devices: [{ id: own?.id }] });

  expect(await write(ben, ann, 'not for the phone')).toMatchObject({
    state: 'queued',
    problem: { code: 'keys_withheld', parameters: { who: 'ann' } },
  });
  expect(sentByBen()).toHaveLength(sentBefore);
  // A hello is invisible.
  expect(await textsOf(ben)).toEqual([...bubbles, 'not for the phone']);
  expect(await conversationWith(ben, ann)).toMatchObject({ unread });
  expect(notices()).toBe(noticed);

  hostile.answerTruthfully();
  await callEngine(ben.engine, 'connection.retry', {});
  await eventually(
    () => messagesOf(ben),
    (all) => all.some(({ text, state }) => text === 'not for the phone' && state === 'sent'),
  );
  const copies = sentByBen()
    .slice(sentBefore)
    .flatMap(({ body }) => (JSON.parse(body) as { envelopes: GroupEnvelope[] }).envelopes);
  expect(copies.filter(({ toAddress }) => toAddress === ann.address)).not.toHaveLength(0);
  expect(copies.map(({ recipientDeviceKey }) => recipientDeviceKey)).not.toContain(phoneKey);
});

/** Ann, with a second own list, and people who write to her. */
interface Scene {
  ann: Honest<ClockedEngine>;
  target: Target;
  /** Accepted by Ann. */
  dora: Person;
}

async function newScene(): Promise<Scene> {
  const ann = await newEngine('ann');
  const dora = await newPerson(hostile.relay);
  await write(ann, as(dora, ann), 'hello Dora');
  return { ann, dora, target: await targetOf(hostile, dora.token, ann.address) };
}

/** Ann's device list changes: it allows programs from now on. */
async function changeList({ ann }: Scene): Promise<void> {
  await callEngine(ann.engine, 'developer.unlock', {});
}

/** Ann's device receives messages of a person's device, and judges them before this returns. */
async function deliver({ ann, target }: Scene, ...envelopes: InboxEnvelope[]): Promise<void> {
  const invented = hostile.deliver(target.deviceId, envelopes, async () => undefined);
  await callEngine(ann.engine, 'connection.retry', {});
  await invented;
}

test('strangers, requests and blocked people get no list', async () => {
  const scene = await newScene();
  const { ann, dora } = scene;
  const [eve, fay] = [await newPerson(hostile.relay), await newPerson(hostile.relay)];
  await write(ann, as(fay, ann), 'hello Fay');
  await callEngine(ann.engine, 'conversations.block', { id: (await conversationWith(ann, as(fay, ann))).id });
  // Eve's chat is a message request from now on.
  await deliver(scene, fromBehind(eve, scene.target));
  await changeList(scene);
  await eventually(
    () => hellosTo(dora),
    ({ length }) => length === 1,
  );
  moveClock(25 * HOUR);
  await refreshed(scene);
  for (const person of [eve, fay]) await person.login();
  await deliver(
    scene,
    fromBehind(eve, scene.target),
    fromBehind(fay, scene.target),
    fromBehind(dora, scene.target),
  );
  await eventually(
    () => hellosTo(dora),
    ({ length }) => length === 2,
  );
  expect(await hellosTo(eve)).toEqual([]);
  expect(await hellosTo(fay)).toEqual([]);
});

test('a person blocked after planning gets no hello', async () => {
  const scene = await newScene();
  const { ann, dora } = scene;
  const fay = await newPerson(hostile.relay);
  await write(ann, as(fay, ann), 'hello Fay');
  ann.engine.chance = 0.5;
  await changeList(scene);
  const { id } = await conversationWith(ann, as(fay, ann));
  await callEngine(ann.engine, 'conversations.block', { id });
  moveClock(6 * 60_000);
  await ann.engine.close();
  await ann.engine.start();
  await eventually(
    () => hellosTo(dora),
    ({ length }) => length === 1,
  );
  expect(await hellosTo(fay)).toEqual([]);
});

test('a changed list is announced to 500 contacts at most', async () => {
  const scene = await newScene();
  const { ann } = scene;
  await ann.engine.close();
  const cache = openCache(ann.engine.folder.path, ann.engine.key);
  const contact = cache.prepare<[string], { id: number }>(
    'INSERT INTO contacts (address, first_seen_at) VALUES (?, 0) RETURNING id',
  );
  const conversation = cache.prepare(
    "INSERT INTO conversations (contact_id, state, updated_at) VALUES (?, 'accepted', 0)",
  );
  cache.transaction(() => {
    for (let index = 0; index < 600; index++) {
      conversation.run(contact.get(`0x${index.toString(16).padStart(40, '0')}`)?.id);
    }
  })();
  cache.close();
  // Late enough that none of them is requested in this test.
  ann.engine.chance = 0.999;
  await ann.engine.start();
  await changeList(scene);
  await ann.engine.close();
  const after = openCache(ann.engine.folder.path, ann.engine.key);
  const planned = after.prepare<[], { count: number }>('SELECT count(*) AS count FROM hellos').get();
  after.close();
  await ann.engine.start();
  expect(planned?.count).toBe(500);
});

test('a flood of hellos shows nothing, and causes a bounded number of calls', async () => {
  const scene = await newScene();
  const { ann, dora } = scene;
  const { id } = await conversationWith(ann, as(dora, ann));
  const bubbles = await textsOf(ann);
  const listed = await callEngine(ann.engine, 'conversations.list', {});
  const calls = () => hostile.requests.filter(({ credential }) => credential === ann.engine.token).length;
  const before = calls();
  await deliver(scene, ...floodOfHellos(dora, scene.target));
  // Polling and details add only a few calls.
  expect(calls() - before).toBeLessThan(45);
  expect(await textsOf(ann)).toEqual(bubbles);
  expect(await callEngine(ann.engine, 'conversations.list', {})).toEqual(listed);
  expect(await callEngine(ann.engine, 'conversations.get', { id })).toMatchObject({ unread: 0 });
  expect(ann.engine.events.filter(({ name }) => name === 'message.arrived')).toEqual([]);
  // None of the lists was accepted, and the last claim is kept.
  const details = await callEngine(ann.engine, 'people.details', { address: dora.address });
  expect(details).toMatchObject({ listSequence: 1, problem: { kind: 'waiting' } });
});

/** After hours the engine has a new seal key: later messages are sealed to it. */
async function refreshed(scene: Scene): Promise<void> {
  const { ann, dora } = scene;
  await callEngine(ann.engine, 'connection.retry', {});
  // A session of the test's own may have ended meanwhile.
  await dora.login();
  await callEngine(ann.engine, 'connection.retry', {});
  scene.target = await targetOf(hostile, dora.token, ann.address);
}
