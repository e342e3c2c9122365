/** The events of messages that arrive together. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ContentReceiver } from '../../../../src/engine/receiving/content-receiver.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receivedDirect } from '../../../support/cached-account.ts';
import { idOf } from '../../../support/cached-device.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';

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

test('the name of a sender is read once for all of their messages that arrive together', () => {
  const { context } = account;
  const receiver = new ContentReceiver(context, own);
  const bodies = Array.from({ length: 20 }, (_, n): DirectBody => {
    const frame = { id: idOf(n), sender: n % 2 === 0 ? ann : ben, peer: own, seq: n + 1 };
    return { ...frame, sentAt: encodeTime(WRITTEN + n), kind: 'text', text: `number ${n}` } as DirectBody;
  });
  const outcomes = context.transaction(() =>
    bodies.map((body) => receiver.receive(receivedDirect(body, { receivedAt: WRITTEN }))),
  );
  const profile = vi.spyOn(context.contacts, 'profile');
  receiver.notify(outcomes, []);
  expect(events.filter(({ name }) => name === 'message.arrived').length).toBeGreaterThan(2);
  expect(profile.mock.calls.toSorted()).toEqual([[ann], [ben]].toSorted());
});
