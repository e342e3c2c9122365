/** The events of messages that arrive together. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ContentReceiver } from '../../../../src/engine/receiving/content-receiver.ts';
import { bodyDigest } from '../../../../src/protocol/body-digest.ts';
import { encodeTime, encodeUtf8 } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receivedDirect } from '../../../support/cached-account.ts';
import { idOf } from '../../../support/cached-device.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';
import { plansOf } from '../../../support/statement-plans.ts';

const [own = '', ann = '', ben = ''] = groupOf(3).people.map(({ address }) => address);
const events: { name: string; payload: unknown }[] = [];
let account: CachedAccount;
beforeEach(() => {
  events.length = 0;
  account = openAccount(
    own,
    () => WRITTEN,
    (name, payload) => events.push({ name, payload }),
  );
});
afterEach(() => account[Symbol.asyncDispose]());

/** Messages of Ann and Ben in turn. */
const bodies = Array.from({ length: 20 }, (_, n): DirectBody => {
  const frame = { id: idOf(n), sender: n % 2 === 0 ? ann : ben, peer: own, seq: n + 1 };
  return { ...frame, sentAt: encodeTime(WRITTEN + n), kind: 'text', text: `number ${n}` } as DirectBody;
});
const receiveAll = (receiver: ContentReceiver, some: readonly DirectBody[]) =>
  account.context.transaction(() =>
    some.map((body) => receiver.receive(receivedDirect(body, { receivedAt: WRITTEN }))),
  );

test('the name of a sender is read once for all of their messages that arrive together', () => {
  const { context } = account;
  const receiver = new ContentReceiver(context, own);
  const outcomes = receiveAll(receiver, bodies);
  const profile = vi.spyOn(context.contacts, 'profile');
  receiver.notify(outcomes, []);
  expect(events.filter(({ name }) => name === 'message.arrived').length).toBeGreaterThan(2);
  expect(profile.mock.calls.toSorted()).toEqual([[ann], [ben]].toSorted());
});

test('a notification of a person with the name of another chat reports it', () => {
  const { context } = account;
  const receiver = new ContentReceiver(context, own);
  for (const [address, handle, displayName] of [
    [ann, 'ann', 'Sam'],
    [ben, 'ben', 'SAM'],
  ] as const) {
    const { id } = context.contacts.ensure(address, WRITTEN);
    context.conversations.ensure(id, 'accepted', WRITTEN);
    context.contacts.saveProfile({ address, handle, displayName, verified: false });
  }
  receiver.notify(receiveAll(receiver, bodies.slice(0, 2)), []);
  const same = () =>
    events
      .filter(({ name }) => name === 'message.arrived')
      .map(({ payload }) => (payload as { hasNamesake: boolean }).hasNamesake);
  expect(same()).toEqual([true, true]);
  context.contacts.saveProfile({ address: ben, handle: 'ben', displayName: 'Ben', verified: false });
  receiver.notify(receiveAll(receiver, bodies.slice(2, 3)), []);
  expect(same()).toEqual([true, true, false]);
});

test('a message in a known chat reads no whole conversation and deletes no rows', () => {
  const { context, db } = account;
  const receiver = new ContentReceiver(context, own);
  const [first, second, ...rest] = bodies;
  if (!first || !second) throw new Error('no bodies');
  receiveAll(receiver, [first, second]);
  const statements = plansOf(db, () => {
    receiveAll(receiver, rest);
    context.strangers.prune();
  }).map(({ sql }) => sql);
  // Each message is stored by these statements.
  expect(statements.filter((sql) => sql.startsWith('INSERT INTO messages'))).toHaveLength(rest.length);
  expect(statements.filter((sql) => sql.includes('c.draft'))).toEqual([]);
  expect(statements.filter((sql) => /^DELETE FROM (?:conversations|message_links)/.test(sql))).toEqual([]);
});

test('a message that was edited or deleted in the same batch notifies with its new text, or not at all', () => {
  const receiver = new ContentReceiver(account.context, own);
  const [first, , second] = bodies;
  if (!first || !second) throw new Error('no bodies');
  const control = (n: number, rest: object) =>
    ({
      ...{ id: idOf(n), sender: ann, peer: own, seq: n, sentAt: encodeTime(WRITTEN + n) },
      ...rest,
    }) as unknown as DirectBody;
  const about = (body: DirectBody) => ({
    sender: body.sender,
    id: body.id,
    digest: bodyDigest(encodeUtf8(JSON.stringify(body))),
  });
  const outcomes = receiveAll(receiver, [
    first,
    second,
    control(50, { kind: 'edit', target: about(first), text: 'corrected' }),
    control(51, { kind: 'delete', targets: [about(second)] }),
  ]);
  receiver.notify(outcomes, []);
  const arrived = events.filter(({ name }) => name === 'message.arrived');
  expect(arrived).toMatchObject([{ payload: { summary: { text: 'corrected' } } }]);
});
