/** First messages with the token of an invite link of the person. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../../src/engine/context.ts';
import {
  cancelInvite,
  MAX_INVITES,
  makeInvite,
  openInvites,
} from '../../../../src/engine/invites/own-invites.ts';
import { ContentReceiver } from '../../../../src/engine/receiving/content-receiver.ts';
import { inviteKey } from '../../../../src/messaging/contents/kinds/own.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { INVITE_TOKEN_LIFE } from '../../../../src/protocol/invite.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../../support/cached-account.ts';

const [ANN, BEN, CAT] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const DAY = 86_400_000;

let account: CachedAccount;
let context: Context;
let now: number;
let emitted: string[];
beforeEach(() => {
  now = NOW;
  emitted = [];
  account = openAccount(
    ANN,
    () => now,
    (name) => emitted.push(name),
  );
  ({ context } = account);
});
afterEach(() => account[Symbol.asyncDispose]());

const newId = () => randomBytes(16).toString('base64url');
const make = () => makeInvite(context)?.token ?? '';
const tokens = () => openInvites(context).map(({ token }) => token);
const stateOf = (address: string) => context.conversations.stateWith(address);

interface Origin {
  sender?: string;
  proof?: 'signed' | 'api';
  deviceId?: string;
}

function textWith(
  fields: Record<string, unknown>,
  { sender = BEN, proof = 'signed', deviceId }: Origin = {},
) {
  const frame = { id: newId(), sender, peer: ANN, sentAt: encodeTime(now), seq: 1 };
  const body = { ...frame, kind: 'text', text: 'Hello', ...fields } as DirectBody;
  return receivedDirect(body, { receivedAt: now, proof, ...(deviceId !== undefined && { deviceId }) });
}
const send = (token: unknown, origin?: Origin) => receive(context, ANN, textWith({ token }, origin));

/** Receives a shared setting of another own device. */
function arrive(key: string, value: unknown, deviceId: string | null = null): void {
  const body = { id: newId(), sender: ANN, peer: ANN, sentAt: encodeTime(now), seq: 0 };
  const set = { ...body, kind: 'own.set', entries: [{ key, value }] } as DirectBody;
  receive(context, ANN, receivedDirect(set, { receivedAt: now, deviceId }));
}

test('a first message with an open token is no request, and spends the token', () => {
  const token = make();
  expect(send(token).stored).toMatchObject({ request: false, notify: true });
  expect(stateOf(BEN)).toBe('accepted');
  expect(tokens()).toEqual([]);
  expect(emitted.filter((name) => name === 'invites.changed')).toHaveLength(2);
  // The removal goes to the other own devices.
  const due = context.ownRegisters.due().flatMap(({ entries }) => entries);
  expect(due).toEqual([{ key: inviteKey(token), value: null }]);
});

test('a stranger who repeats the token of someone else stays a request', () => {
  const token = make();
  send(token);
  expect(send(token, { sender: CAT }).stored).toMatchObject({ request: true });
  expect(stateOf(CAT)).toBe('request');
});

test('a message that a relay delivers again accepts no one', () => {
  const first = textWith({ token: make() });
  receive(context, ANN, first);
  context.own.mark('blocked', BEN, true);
  expect(receive(context, ANN, first)).toMatchObject({ isNew: false, stored: null });
  expect(stateOf(BEN)).toBe('blocked');
});

test('a token is spent by one of two messages of a page', () => {
  const token = make();
  const receiver = new ContentReceiver(context, ANN);
  const [ofBen, ofCat] = [textWith({ token }), textWith({ token }, { sender: CAT })];
  context.transaction(() => [receiver.receive(ofBen), receiver.receive(ofCat)]);
  expect([stateOf(BEN), stateOf(CAT)]).toEqual(['accepted', 'request']);
});

test('a transaction that fails leaves the token open', () => {
  const token = make();
  const receiver = new ContentReceiver(context, ANN);
  const work = () =>
    context.transaction(() => {
      receiver.receive(textWith({ token }));
      throw new Error('the disk is full');
    });
  expect(work).toThrow('the disk is full');
  expect(tokens()).toEqual([token]);
});

test('a later message of a request with an open token turns it into a chat', () => {
  send(undefined);
  expect(stateOf(BEN)).toBe('request');
  expect(send(make()).stored).toMatchObject({ request: false, hasAccepted: true });
  expect(stateOf(BEN)).toBe('accepted');
});

test('a request whose budget is used up is accepted by a message with an open token', () => {
  const receiver = new ContentReceiver(context, ANN);
  const long = () => textWith({ text: 'x'.repeat(16_000) });
  for (let next = long(); receiver.findRefusal(next) === null; next = long()) receive(context, ANN, next);
  const token = make();
  expect(receiver.findRefusal(textWith({ text: 'x'.repeat(16_000), token: newId() }))).toBe('stranger_limit');
  expect(receiver.findRefusal(textWith({ text: 'x'.repeat(16_000), token }))).toBeNull();
});

test('a message of an accepted contact spends the token', () => {
  const contact = context.contacts.ensure(BEN, now);
  context.conversations.ensure(contact.id, 'accepted', now);
  expect(send(make()).stored).toMatchObject({ request: false, hasAccepted: false });
  expect(tokens()).toEqual([]);
});

test('a blocked person stays blocked, and does not spend the token', () => {
  const token = make();
  context.own.mark('blocked', BEN, true);
  expect(send(token).stored).toBeNull();
  expect(stateOf(BEN)).toBe('blocked');
  expect(tokens()).toEqual([token]);
});

test.each([
  ['another token', () => newId()],
  ['no token', () => undefined],
  ['a malformed token', () => 'short'],
  [
    'a cancelled token',
    () => {
      const token = make();
      cancelInvite(context, token);
      return token;
    },
  ],
  [
    'an expired token',
    () => {
      const token = make();
      now += INVITE_TOKEN_LIFE + 1;
      return token;
    },
  ],
  [
    'a token dated a day ahead',
    () => {
      const token = newId();
      arrive(inviteKey(token), { madeAt: encodeTime(now + DAY) });
      return token;
    },
  ],
])('a message with %s is a request', (_, tokenOf) => {
  expect(send(tokenOf()).stored).toMatchObject({ request: true });
});

test('an unsigned message accepts no one, and does not spend the token', () => {
  const token = make();
  expect(send(token, { proof: 'api' }).stored).toMatchObject({ request: true });
  expect(tokens()).toEqual([token]);
});

test('a token in a control opens no chat, and is not spent', () => {
  const token = make();
  const control = { kind: 'profile', name: 'Ben', token };
  receive(context, ANN, textWith({ ...control, text: undefined }));
  expect(stateOf(BEN)).toBeNull();
  expect(tokens()).toEqual([token]);
});

test('a token of another own device counts here, until that device spends it or is removed', () => {
  const [spent, open] = [newId(), newId()];
  arrive(inviteKey(spent), { madeAt: encodeTime(now) });
  arrive(inviteKey(open), { madeAt: encodeTime(now) });
  now += 1;
  arrive(inviteKey(spent), null);
  expect(send(spent).stored).toMatchObject({ request: true });
  expect(send(open, { sender: CAT }).stored).toMatchObject({ request: false });
});

test('two own devices that receive two messages in different order each accept the first one', async () => {
  await using other = openAccount(ANN, () => now);
  const token = make();
  other.context.own.set(inviteKey(token), { madeAt: encodeTime(now) });
  const [ofBen, ofCat] = [textWith({ token }), textWith({ token }, { sender: CAT })];
  for (const received of [ofBen, ofCat]) receive(context, ANN, received);
  for (const received of [ofCat, ofBen]) receive(other.context, ANN, received);
  const states = ({ conversations }: Context) =>
    [BEN, CAT].map((address) => conversations.stateWith(address));
  expect(states(context)).toEqual(['accepted', 'request']);
  expect(states(other.context)).toEqual(['request', 'accepted']);
  expect([...openInvites(context), ...openInvites(other.context)]).toEqual([]);
});

test('a token of a removed own device accepts no one', () => {
  const token = newId();
  arrive(inviteKey(token), { madeAt: encodeTime(now) }, newId());
  expect(tokens()).toEqual([token]);
  const listed = new Set([newId()]);
  const parts = {
    ...context,
    identity: Object.assign(Object.create(context.identity), { listedDevices: () => listed }),
  };
  expect(openInvites(parts)).toEqual([]);
});

test('keeps at most twenty open links, the newest ones, of any device', () => {
  const made = Array.from({ length: MAX_INVITES }, () => {
    now += 1;
    return make();
  });
  expect(makeInvite(context)).toBeNull();
  now += 1;
  const another = newId();
  arrive(inviteKey(another), { madeAt: encodeTime(now) });
  expect(tokens()).toEqual([another, ...made.slice(1).reverse()]);
  expect(send(made[0]).stored).toMatchObject({ request: true });
  expect(send(another, { sender: CAT }).stored).toMatchObject({ request: false });
});

test('a new link removes the expired ones', () => {
  const old = make();
  now += INVITE_TOKEN_LIFE + 1;
  const token = make();
  expect(context.ownRegisters.invites().map(({ key }) => key)).toEqual([inviteKey(token)]);
  expect(context.ownRegisters.valueOf(inviteKey(old))).toBeNull();
});

test('a value of another form is no link', () => {
  const token = newId();
  arrive(inviteKey(token), { madeAt: 'yesterday' });
  arrive(inviteKey('short'), { madeAt: encodeTime(now) });
  expect(openInvites(context)).toEqual([]);
});
