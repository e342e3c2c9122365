import { describe, expect, test } from 'vitest';
import { htmlTree } from '../../../../../src/renderer/chat/writing/html-tree.ts';
import { markdownIn } from '../../../../../src/renderer/chat/writing/pasted.ts';
import { copied } from '../../../../support/copied-html.ts';

test.each(Object.entries(copied))('keeps the marks of content copied from %s', (_, { html, pasted }) => {
  expect(markdownIn(html)).toBe(pasted);
});

test('pastes a table without marks, or with more than lines, as plain text', () => {
  const table = (cells: string) => markdownIn(`<table><tr>${cells}</tr></table>`);
  expect(table('<td>a</td><td>b</td>')).toBeNull();
  expect(table('<td><b>a</b></td><td>b</td>')).toBe('**a**\tb');
  expect(table('<td colspan="2"><b>a</b></td><td>b</td>')).toBe('**a**\t\tb');
  expect(table('<td><b>a</b><ul><li>b</li></ul></td>')).toBeNull();
  expect(table('<td rowspan="2"><b>a</b></td>')).toBeNull();
  expect(table('<td colspan="9999999"><b>a</b></td>')).toBeNull();
});

test('reads bold from an element’s style, in both directions', () => {
  for (const weight of ['bold', 'bolder', '600'])
    expect(markdownIn(`<b style="font-weight: ${weight}">a</b>`), weight).toBe('**a**');
  for (const weight of ['normal', 'lighter', '400'])
    expect(markdownIn(`<b style="font-weight: ${weight}">a</b> <i>b</i>`), weight).toBe('a _b_');
});

test('pastes one line of code from an editor as plain text', () => {
  expect(markdownIn('<div style="white-space: pre"><div><b>name</b></div></div>')).toBeNull();
});

describe('broken HTML', () => {
  /** The tree in short. */
  const shape = (html: string): string => {
    const text = (node: ReturnType<typeof htmlTree> | string): string =>
      typeof node === 'string' ? node : `${node.name}(${node.children.map(text).join(' ')})`;
    return htmlTree(html).children.map(text).join(' ');
  };

  test('ends paragraphs and items at the start of the next', () => {
    expect(shape('<p>one<p>two<ul><li>a<li>b</ul>c')).toBe('p(one) p(two) ul(li(a) li(b)) c');
    expect(shape('<table><tr><td>a<td>b<tr><td>c</table>d')).toBe('table(tr(td(a) td(b)) tr(td(c))) d');
    expect(shape('<ul><li>a<ul><li>b</ul><li>c</ul>')).toBe('ul(li(a ul(li(b))) li(c))');
  });

  test('keeps the text of unclosed and twice closed elements', () => {
    expect(shape('a <b>b <i>c</b> d</i> e')).toBe('a  b(b  i(c))  d  e');
    expect(shape('</p>1 < 2 &amp; 3<br/>x')).toBe('1  <  2 & 3 br() x');
    expect(shape('text<b title="')).toBe('text');
    expect(shape('text<!-- never ends <b>')).toBe('text');
    expect(shape('text<script>never ends <b>')).toBe('text');
  });

  test('decodes characters by number and known name', () => {
    expect(markdownIn('<b>&#x1F426; &#246;&ouml;&nbsp;&#0;</b>')).toBe('**🐦 öö \ufffd**');
    expect(markdownIn('<b>&CounterClockwiseContourIntegral;</b>')).toBeNull();
    expect(markdownIn('<b>a</b> <a href="https://a.example/?b=1&copy=2">x</a>')).toBe(
      '**a** x (https://a.example/?b=1&copy=2)',
    );
  });
});

test('does not paste hidden content', () => {
  expect(markdownIn('<b>seen</b><span style="display:none">hidden</span><i hidden>hidden</i>')).toBe(
    '**seen**',
  );
});
