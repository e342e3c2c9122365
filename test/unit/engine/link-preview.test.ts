/** Previews in messages: those of hostile senders are not shown, and own ones are checked before sending. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PreviewToSend } from '../../../src/bridge/shapes/link-preview.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { toMessages } from '../../../src/engine/views/messages.ts';
import { previewField } from '../../../src/engine/writing/preview.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../support/cached-account.ts';

const [ME, ANN] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const URL_HERE = 'https://example.org/a';
const WEBP = Buffer.concat([Buffer.from('RIFF....WEBPVP8 '), Buffer.alloc(100)]);

let account: CachedAccount;
let now: number;
let chat: number;
beforeEach(() => {
  now = Date.UTC(2026, 5, 1);
  account = openAccount(ME, () => now);
  const { contacts, conversations } = account.context;
  chat = conversations.ensure(contacts.ensure(ANN, now).id, 'accepted', now).id;
});
afterEach(() => account[Symbol.asyncDispose]());

/** The received message with a preview as the interface gets it. */
function shown(preview: unknown, text = `See ${URL_HERE} there`): Message | undefined {
  now += 1_000;
  const id = encodeBase64Url(randomBytes(16));
  const body: DirectBody = {
    id,
    sender: ANN,
    peer: ME,
    sentAt: encodeTime(now),
    seq: 1,
    kind: 'text',
    text,
    preview,
  };
  const deviceId = encodeBase64Url(randomBytes(16));
  receive(account.context, ME, receivedDirect(body, { deviceId, receivedAt: now }));
  const { conversations, timelines } = account.context;
  const conversation = conversations.get(chat);
  if (!conversation) throw new Error('the chat is missing');
  return toMessages(account.context, conversation, timelines.before(chat, null, 1))[0];
}

test('a preview is shown with the host of its link, and its texts without marks of direction', () => {
  const preview = {
    url: URL_HERE,
    title: 'In\u202evoice',
    description: 'b\u200b',
    image: WEBP.toString('base64url'),
  };
  expect(shown(preview)?.preview).toEqual({
    url: URL_HERE,
    host: 'example.org',
    title: 'Invoice',
    description: 'b',
    image: WEBP.toString('base64'),
  });
});

test.each([
  ['a link that is not in the text', { url: 'https://evil.example/', title: 'Bank' }],
  ['a script', { url: 'javascript:alert(1)', title: 'x' }, 'javascript:alert(1)'],
  ['a link without encryption', { url: 'http://a.example/', title: 'x' }, 'http://a.example/'],
  [
    'a user before the host',
    { url: 'https://bank.example@evil.example/', title: 'x' },
    'https://bank.example@evil.example/',
  ],
  ['a title of marks alone', { url: URL_HERE, title: '\u202e\u200b' }],
])('C12: a preview with %s is not shown', (_kind, preview, text?: string) => {
  const message = shown(preview, text);
  expect(message?.kind).toBe('text');
  expect(message?.preview).toBeNull();
});

test('a picture of another type is left out, and one of 16,385 bytes is a wrong message', () => {
  const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64url');
  expect(shown({ url: URL_HERE, title: 'x', image: svg })?.preview).toMatchObject({
    title: 'x',
    image: null,
  });
  const long = Buffer.concat([WEBP, Buffer.alloc(16_385 - WEBP.length)]).toString('base64url');
  const before = account.context.timelines.before(chat, null, 10).length;
  shown({ url: URL_HERE, title: 'x', image: long });
  expect(account.context.timelines.before(chat, null, 10)).toHaveLength(before);
});

test('a message request shows no preview', () => {
  account.context.conversations.setState(chat, 'request');
  expect(shown({ url: URL_HERE, title: 'x' })?.preview).toBeNull();
});

test('an own preview is sent only while its link is in the text, and with a small picture of the right type', () => {
  const own: PreviewToSend = { url: URL_HERE, title: 'T', description: null, image: WEBP.toString('base64') };
  expect(previewField(`at ${URL_HERE}`, own)).toEqual({
    preview: { url: URL_HERE, title: 'T', image: WEBP.toString('base64url') },
  });
  expect(previewField('Nothing here', own)).toEqual({});
  expect(previewField(URL_HERE, undefined)).toEqual({});
  const png = Buffer.from('\x89PNG\r\n\x1a\n....', 'latin1').toString('base64');
  expect(previewField(URL_HERE, { ...own, image: png })).toEqual({ preview: { url: URL_HERE, title: 'T' } });
});
