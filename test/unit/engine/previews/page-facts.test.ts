import { expect, test } from 'vitest';
import { pageFacts } from '../../../../src/engine/previews/page-facts.ts';

const HTML = 'text/html; charset=utf-8';
const facts = (html: string, type = HTML) => pageFacts(Buffer.from(html), type);

test('reads the metadata of a page, before its title', () => {
  const page = `<!doctype html><html><head><title>A &amp; B</title>
    <meta name="description" content="Plain"><meta property="og:title" content="Open &quot;graph&quot;">
    <meta property="og:image" content="/a.png"></head><body></body></html>`;
  expect(facts(page)).toEqual({ title: 'Open "graph"', description: 'Plain', image: '/a.png' });
  expect(facts('<title>Only a title</title>').title).toBe('Only a title');
});

test('C12: the body, comments and scripts are not read', () => {
  const page = `<head><!-- <title>No</title> --><script>"<title>No</title>"</script><title>Yes</title></head>
    <body><meta property="og:title" content="No"><title>No</title></body>`;
  expect(facts(page)).toEqual({ title: 'Yes', description: null, image: null });
});

test('a page without a head, cut in the middle, or of bytes returns its readable part', () => {
  expect(facts('')).toEqual({ title: null, description: null, image: null });
  expect(facts('<meta property="og:title" content="Cut"><meta property="og:desc').title).toBe('Cut');
  expect(pageFacts(Buffer.alloc(100_000, 0xff), HTML).title).toBeNull();
});

test('a head of many tags is read up to a limit, and one of very many attributes whole', () => {
  expect(facts(`${'<div>'.repeat(2_000)}<title>Deep</title>`).title).toBe('Deep');
  expect(facts(`${'<div>'.repeat(100_000)}<title>Deep</title>`).title).toBeNull();
  const wide = `<meta ${Array.from({ length: 50_000 }, (_, n) => `a${n}=b`).join(' ')}><title>Wide</title>`;
  expect(facts(wide).title).toBe('Wide');
});

test('reads the encoding of the header, else of the page; an unknown one is UTF-8', () => {
  const latin = Buffer.from('<title>Grün</title>', 'latin1');
  expect(pageFacts(latin, 'text/html; charset=iso-8859-1').title).toBe('Grün');
  const named = Buffer.from('<meta charset="windows-1252"><title>Grün</title>', 'latin1');
  expect(pageFacts(named, 'text/html').title).toBe('Grün');
  expect(facts('<title>Grün</title>', 'text/html; charset=nonsense').title).toBe('Grün');
  expect(pageFacts(latin, HTML).title).toBe('Gr\ufffdn');
});
