/** The text of a message without its marks. */
import { isBlock, type Token, tokenize } from './markdown.ts';

/** A message on one line without its marks, for a preview of at most `length` characters of the source. */
export function plainText(source: string, length = 200): string {
  return wordsOf(tokensOfStart(source, length)).replace(/\s+/g, ' ').trim();
}

function tokensOfStart(source: string, length: number): Token[] {
  const cut = source.slice(0, length);
  if (cut.length === source.length) return tokenize(source);
  // A code block that continues after the cut: without an end, its marks would be shown.
  const closed = tokenize(`${cut.replace(/`+$/, '')}\n\`\`\``);
  return closed.at(-1)?.kind === 'code-block' ? closed : tokenize(cut);
}

/** Each mark of a text has one of these: most texts have none, and are not parsed. */
const MARK = /[*_~`>•]|^ *[-+\d]/m;

/**
 * Marks at or inside of words that no other mark closes by the rules of the parser, as in `w**or**ds`: it leaves them in the
 * text, as it leaves 5*3*2. Other programs show formatting there.
 */
export const MARK_IN_WORD = /(?<=\p{L})(?:\*{1,3}|~~)|(?:\*{1,3}|~~)(?=\p{L})/gu;

/** A message without its marks, in its lines; items of lists keep a bullet or their number. */
export function textWithoutMarks(source: string): string {
  if (!MARK.test(source)) return source;
  return wordsOf(tokenize(source));
}

/** Reports whether a text may have marks: only then it is parsed. */
export const mayHaveMarks = (source: string): boolean => MARK.test(source);

/**
 * A message without its marks, as {@link textWithoutMarks} returns it, and the same without {@link MARK_IN_WORD}. Code keeps all
 * marks.
 */
export function formsWithoutMarks(source: string): { plain: string; bare: string } {
  if (!MARK.test(source)) return { plain: source, bare: source };
  const tokens = tokenize(source);
  return { plain: wordsOf(tokens), bare: wordsOf(tokens.map(withoutMarksInWords)) };
}

function withoutMarksInWords(token: Token): Token {
  if ('children' in token) return { ...token, children: token.children.map(withoutMarksInWords) };
  return token.kind === 'text' ? { ...token, text: token.text.replace(MARK_IN_WORD, '') } : token;
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
