import { expect, test } from 'vitest';
import { firstWrittenLink } from '../../../src/base/markdown/links.ts';

test.each([
  ['See https://a.example and https://b.example', 'https://a.example'],
  ['See https://Example.org/%C3%84 or', 'https://Example.org/%C3%84'],
  ['https://de.example/Äther, then', 'https://de.example/Äther'],
  ['> **https://quoted.example/x**', 'https://quoted.example/x'],
  ['mailto:ann@a.example then https://b.example/', 'https://b.example/'],
])('the first link of "%s" is as it is written', (text, link) => {
  expect(firstWrittenLink(text)).toBe(link);
  expect(text).toContain(link);
});

test.each([
  '`https://code.example`',
  '```\nhttps://code.example\n```',
  'http://a.example',
  'https://u@a.example',
  '',
])('"%s" has no link for a preview', (text) => {
  expect(firstWrittenLink(text)).toBeNull();
});
