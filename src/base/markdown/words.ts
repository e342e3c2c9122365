/** The text of a message without its marks. */
import { isBlock, type Token, tokenize } from './markdown.ts';

/** A message on one line without its marks, for a preview of at most `length` characters of the source. */
export function plainText(source: string, length = 200): string {
  return wordsOf(tokenize(source.slice(0, length)))
    .replace(/\s+/g, ' ')
    .trim();
}

/** A message without its marks, in its lines; items of lists keep a bullet or their number. */
export function textWithoutMarks(source: string): string {
  return wordsOf(tokenize(source));
}

function wordsOf(tokens: readonly Token[], indent = ''): string {
  let words = '';
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const isApart = before && (isBlock(before) || (isBlock(token) && !words.endsWith('\n')));
    words += (isApart ? '\n' : '') + textOf(token, indent);
  });
  return words;
}

function textOf(token: Token, indent: string): string {
  if (!('children' in token)) return token.text;
  if (token.kind !== 'item') return wordsOf(token.children, indent);
  const mark = token.number === null ? '•' : `${token.number}.`;
  return `${indent}${mark} ${wordsOf(token.children, `${indent}  `)}`;
}
