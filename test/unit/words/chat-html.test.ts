/** HTML of exported messages: nothing that people wrote becomes markup. */
import { expect, test } from 'vitest';
import { fileNameOf } from '../../../src/base/exported-file-name.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import type { Person } from '../../../src/bridge/shapes/person.ts';
import { wordsIn } from '../../../src/words/catalogues.ts';
import { Look, messageHtml } from '../../../src/words/chat-html.ts';

const look = new Look(wordsIn('en'), 'en');
const OWN = `0x${'1'.repeat(40)}`;
const person = (displayName: string): Person =>
  ({
    address: `0x${'2'.repeat(40)}`,
    handle: null,
    displayName,
    nickname: null,
    picture: null,
    handleVerified: false,
  }) as unknown as Person;
const message = (fields: Partial<Message>): Message =>
  ({
    ...{
      id: '1',
      kind: 'text',
      event: null,
      sender: `0x${'2'.repeat(40)}`,
      author: person('Ann'),
      bot: null,
    },
    ...{
      text: '',
      files: [],
      at: 0,
      mentions: [],
      reactions: [],
      replyTo: null,
      editedAt: null,
      forwarded: false,
    },
    ...{ trust: 'verified', state: 'received', fields: {} },
    ...fields,
  }) as Message;

const MARKUP = `<script>alert(1)</script><img src=x onerror="a()">'&`;

const places: Readonly<Record<string, Partial<Message>>> = {
  text: { text: MARKUP },
  name: { author: person(MARKUP) },
  code: { text: `\`${MARKUP}\`` },
  quote: { text: `> ${MARKUP}` },
  'file name': { files: [{ name: MARKUP, type: 'image', alt: MARKUP }] as unknown as Message['files'] },
};
test.each(Object.entries(places))('markup in a %s is text', (_, fields) => {
  const html = messageHtml(look, message(fields), OWN, [`files/1 ${MARKUP}`]);
  expect(html).not.toMatch(/<script|<img src=x|onerror="/);
  expect(html).toContain('&#60;script&#62;');
});

test('formatting becomes elements, and links keep their addresses', () => {
  const html = messageHtml(look, message({ text: '**bold** _it_ https://a.example/?b="c' }), OWN, []);
  expect(html).toContain('<b>bold</b> <i>it</i>');
  expect(html).toContain('href="https://a.example/?b=');
});

test('a text has its own direction, not that of its time', () => {
  const html = messageHtml(look, message({ text: 'שלום, Ann!' }), OWN, []);
  expect(html).toContain('<div class="text" dir="auto">שלום, Ann!</div>');
  expect(html).not.toContain('<article dir');
});

test('a script address is not a link', () => {
  expect(messageHtml(look, message({ text: 'javascript:alert(1)' }), OWN, [])).not.toContain('href');
});

test('a file name with its number has at most 255 bytes, and keeps its extension', () => {
  expect(fileNameOf(1, 'photo.jpg')).toBe('1 photo.jpg');
  expect(fileNameOf(2, 'no extension')).toBe('2 no extension');
  for (const character of ['a', 'é', '写', '👍']) {
    const name = fileNameOf(10_000_000, `${character.repeat(251)}.jpeg`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(name)).toBeGreaterThan(240);
    expect(name).toMatch(/^10000000 .*\.jpeg$/u);
    expect(name.isWellFormed()).toBe(true);
  }
  for (let length = 230; length < 245; length++)
    expect(fileNameOf(1, `${'x'.repeat(length)}.bat.${'y'.repeat(40)}`)).not.toMatch(/(?:[. ]|\.bat)$/);
});
