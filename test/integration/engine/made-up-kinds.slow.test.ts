/**
 * A new kind of contents is one file: here two made-up ones, a message and a control, pass through a whole engine without
 * any other change.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { contents } from '../../../src/messaging/contents/all-kinds.ts';
import { Ref } from '../../../src/messaging/contents/fields.ts';
import { controlKind, viewKind } from '../../../src/messaging/contents/kind.ts';
import { applyTo } from '../../../src/messaging/contents/targets.ts';
import { bodyDigest } from '../../../src/protocol/body-digest.ts';
import { encodeBody } from '../../../src/protocol/payload.ts';
import { Text } from '../../../src/protocol/primitives.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { callEngine, eventually, setUp } from '../../support/engine.ts';
import { directBody, forge, type Target, targetOf } from '../../support/hostile-relay/forgery.ts';
import { messagesOf } from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../support/person.ts';

const cake = viewKind({
  name: 'cake',
  schema: z.looseObject({ kind: z.literal('cake'), candles: z.number().int(), wish: Text(100) }),
  textField: null,
  editable: false,
  unsigned: false,
  summary: ({ candles }) => `A cake with ${candles} candles`,
  notifies: false,
  fields: ({ candles, wish }) => ({ candles, wish }),
});

/** The sender of a message gives it a loud look. */
const shout = controlKind({
  name: 'shout',
  schema: z.looseObject({ kind: z.literal('shout'), target: Ref }),
  apply(content, by, store) {
    const edit = { text: 'LOUD', mentions: [] };
    return applyTo({ ...content, kind: 'edit' }, content.target, by, store, (found) =>
      found.addEdit(edit, by.version),
    );
  },
});

/** Changes a message, and then fails with an internal error. */
const bomb = controlKind({
  name: 'bomb',
  schema: z.looseObject({ kind: z.literal('bomb'), target: Ref }),
  apply({ target }, by, store) {
    store.find(target)?.addEdit({ text: 'half done', mentions: [] }, by.version);
    throw new TypeError('a fault of ours');
  },
});

let hostile: HostileRelay;
let dora: Person;
let target: Target;
const engine = new ClockedEngine('');
let own: string;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  engine.relays.fixed = hostile.url;
  own = (await setUp(await engine.start(), 'ben')).address.toLowerCase();
  dora = await newPerson(hostile.relay);
  target = await targetOf(hostile, dora.token, own);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

/** Dora sends bodies to Ben, who processes all of them. Returns the references to them. */
async function send(...fields: object[]): Promise<Ref[]> {
  const bodies = fields.map((each) => ({ ...directBody(dora.address, own, ''), ...each }));
  for (const body of bodies)
    hostile.invent(target.deviceId, forge(dora.address, target, { channel: 'direct', body }, dora.signer));
  await callEngine(engine, 'connection.retry', {});
  await eventually(
    async () => hostile.unacknowledged(target.deviceId),
    (left) => left === 0,
  );
  return bodies.map((body) => {
    const bytes = encodeBody({ channel: 'direct', body }, dora.signer.list);
    return { sender: dora.address, id: body.id, digest: bodyDigest(bytes) };
  });
}

const shown = () => messagesOf({ engine, address: own, handle: 'ben' });
const chats = () => callEngine(engine, 'conversations.list', {});

test('a version without a kind stores it or shows its fallback; one with its file handles it', async () => {
  const [text] = await send({ text: 'quietly' });
  for (const { id } of await chats()) await callEngine(engine, 'conversations.accept', { id });
  await send(
    { kind: 'cake', candles: 30, wish: 'health', fallback: 'A cake! Update Waxwing to see it.' },
    { kind: 'shout', target: text },
  );
  expect(await shown()).toMatchObject([
    { kind: 'text', text: 'quietly' },
    { kind: 'newer', text: 'A cake! Update Waxwing to see it.' },
  ]);

  await engine.close();
  engine.contents = contents.with(cake, shout);
  await engine.start();
  expect(await shown(), 'what was kept counts now').toMatchObject([
    { kind: 'text', text: 'LOUD' },
    { kind: 'cake', text: '', fields: { candles: 30, wish: 'health' } },
  ]);
  expect((await chats())[0]).toMatchObject({
    unread: 2,
    last: { summary: { kind: 'cake', fields: { candles: 30 } } },
  });
});

test('a control follows the rights of its kind, affects only its own conversation, and is not a message', async () => {
  const eve = await newPerson(hostile.relay);
  const [text] = await send({ text: 'calmly' });
  const before = engine.events.length;
  const body = {
    ...directBody(eve.address, own, ''),
    kind: 'shout',
    target: text,
  };
  hostile.invent(target.deviceId, forge(eve.address, target, { channel: 'direct', body }, eve.signer));
  await send({ kind: 'shout', target: { ...text, id: 'A'.repeat(22) } });
  expect((await shown()).at(-1)).toMatchObject({ text: 'calmly' });
  await send({ kind: 'cake', candles: 1, wish: 'peace' }, { kind: 'shout', target: text });
  expect((await shown()).slice(-2)).toMatchObject([{ text: 'LOUD' }, { kind: 'cake' }]);
  const emitted = engine.events.slice(before).map(({ name }) => name);
  expect(emitted).toContain('messages.changed');
  expect(emitted, 'neither a cake nor a control notifies').not.toContain('message.arrived');
});

test('a content that crashes the code changes nothing, and the rest of the page is stored', async () => {
  const [text] = await send({ text: 'steadily' });
  // Stored by the version that does not know it, it must not prevent the next one from starting.
  await send({ kind: 'bomb', target: text });
  await engine.close();
  engine.contents = contents.with(cake, shout, bomb);
  await engine.start();
  expect((await shown()).at(-1)).toMatchObject({ text: 'steadily' });

  await send({ kind: 'bomb', target: text }, { text: 'after it' });
  expect((await shown()).slice(-2)).toMatchObject([{ text: 'steadily' }, { text: 'after it' }]);
});
