/** Reactions to own messages that notify. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ContentReceiver } from '../../../../src/engine/receiving/content-receiver.ts';
import { bodyDigest } from '../../../../src/protocol/body-digest.ts';
import { encodeTime, encodeUtf8 } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receivedDirect } from '../../../support/cached-account.ts';
import { idOf } from '../../../support/cached-device.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';

const [own = '', ann = ''] = groupOf(2).people.map(({ address }) => address);
const HOUR = 3_600_000;
let events: { name: string; payload: unknown }[];
let account: CachedAccount;
let now: number;
beforeEach(() => {
  events = [];
  now = WRITTEN;
  account = openAccount(
    own,
    () => now,
    (name, payload) => events.push({ name, payload }),
  );
});
afterEach(() => account[Symbol.asyncDispose]());

const body = (n: number, sender: string, content: object) =>
  ({
    ...{ id: idOf(n), sender, peer: sender === own ? ann : own, seq: n },
    ...{ sentAt: encodeTime(WRITTEN + n), ...content },
  }) as unknown as DirectBody;
const text = (n: number, sender: string) => body(n, sender, { kind: 'text', text: `number ${n}` });
const reaction = (n: number, sender: string, to: DirectBody, ...emoji: string[]) => {
  const digest = bodyDigest(encodeUtf8(JSON.stringify(to)));
  return body(n, sender, { kind: 'reaction', emoji, target: { sender: to.sender, id: to.id, digest } });
};

/** Receives contents in one batch. @returns the emoji that notify */
function receive(bodies: readonly DirectBody[], receivedAt = now): string[] {
  events.length = 0;
  const receiver = new ContentReceiver(account.context, own);
  const outcomes = account.context.transaction(() =>
    bodies.map((each) => receiver.receive(receivedDirect(each, { receivedAt }))),
  );
  receiver.notify(outcomes, []);
  return events.flatMap(({ name, payload }) =>
    name === 'reaction.arrived' ? [(payload as { emoji: string }).emoji] : [],
  );
}

const mine = text(1, own);

test('a reaction of another person notifies with its emoji and the message', () => {
  receive([mine]);
  expect(receive([reaction(2, ann, mine, '👍')])).toEqual(['👍']);
  const [arrived] = events.filter(({ name }) => name === 'reaction.arrived');
  expect(arrived?.payload).toMatchObject({ group: null, summary: { text: 'number 1' } });
});

test('each added emoji notifies once, and a removed one does not', () => {
  receive([mine]);
  receive([reaction(2, ann, mine, '👍')]);
  expect(receive([reaction(3, ann, mine, '👍', '🎉')])).toEqual(['🎉']);
  expect(receive([reaction(4, ann, mine, '👍')])).toEqual([]);
  expect(receive([reaction(5, ann, mine)])).toEqual([]);
  expect(receive([reaction(6, ann, mine, '🙏'), reaction(7, ann, mine)])).toEqual([]);
});

test('own reactions, and those to messages of others, do not notify', () => {
  const theirs = text(2, ann);
  receive([mine, theirs]);
  expect(receive([reaction(3, own, mine, '👍'), reaction(4, ann, theirs, '👍')])).toEqual([]);
});

test('reactions of a muted chat, of a blocked person and of a backlog do not notify', () => {
  receive([mine]);
  const { conversations, own: shared } = account.context;
  const [{ id = 0, name = '' } = {}] = conversations.list();
  expect(receive([reaction(2, ann, mine, '👍')], now - HOUR)).toEqual([]);
  shared.mark('muted', name, true);
  expect(receive([reaction(3, ann, mine, '🎉')])).toEqual([]);
  shared.mark('muted', name, null);
  conversations.setState(id, 'blocked');
  expect(receive([reaction(4, ann, mine, '🙏')])).toEqual([]);
  conversations.setState(id, 'accepted');
  expect(receive([reaction(5, ann, mine, '😀')])).toEqual(['😀']);
});
