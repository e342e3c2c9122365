/**
 * Markdown, the small and safe part of it: bold, italic, code and bare links.
 *
 * A link's text is always its address: a message cannot show one address and open another. Nothing here makes
 * HTML; the tokens become React nodes.
 */
import { mayLeadOutside } from '../../bridge/outside-address.ts';

export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  /** Code on lines of its own; the language is what stands behind the opening marks, or empty. */
  | { kind: 'code-block'; language: string; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'bold' | 'italic'; children: Token[] };

const linkPattern = /(?:https:\/\/|mailto:)[^\s<>"`]{1,2048}/iy;
const codePattern = /(`{1,3})(?!`)([\s\S]*?[^`])\1(?!`)/y;
const languagePattern = /^([\w+#.-]{0,32})\n/;
/** Deeper marks stay plain text, so that a hostile message cannot nest without end. */
const maximumDepth = 4;
/** How far, in characters, a mark may be from the one that closes it: keeps hostile messages cheap to read. */
const longestEmphasis = 2000;

/** Splits a message into tokens. Every character that is not a mark is kept, newlines included: but not the one that ends a block of code. */
export function tokenize(source: string, depth = 0): Token[] {
  const tokens: Token[] = [];
  let plain = '';
  let position = 0;
  while (position < source.length) {
    const found = codeAt(source, position) ?? linkAt(source, position) ?? emphasisAt(source, position, depth);
    if (found) {
      if (plain) tokens.push({ kind: 'text', text: plain });
      plain = '';
      tokens.push(found.token);
      position = found.end;
    } else {
      plain += source[position];
      position += 1;
    }
  }
  if (plain) tokens.push({ kind: 'text', text: plain });
  return tokens;
}

/** A message on one line without its marks, for a preview of at most `length` characters of the source. */
export function plainText(source: string, length = 200): string {
  return tokenize(source.slice(0, length)).map(textOf).join('').replace(/\s+/g, ' ').trim();
}

function textOf(token: Token): string {
  return 'children' in token ? token.children.map(textOf).join('') : token.text;
}

interface Found {
  token: Token;
  end: number;
}

function codeAt(source: string, position: number): Found | null {
  if (source[position] !== '`' || source[position - 1] === '`') return null;
  const match = matchAt(codePattern, source, position);
  if (!match) return null;
  const [all, marks, inside = ''] = match;
  const end = position + all.length;
  if (marks === '```' && inside.includes('\n')) {
    const language = languagePattern.exec(inside)?.[1] ?? '';
    const text = inside.slice(language.length).replace(/^\n|\n$/g, '');
    return {
      token: { kind: 'code-block', language, text },
      end: source[end] === '\n' ? end + 1 : end,
    };
  }
  return { token: { kind: 'code', text: inside }, end };
}

function linkAt(source: string, position: number): Found | null {
  if (!/[hm]/i.test(source[position] ?? '') || isWordCharacter(source[position - 1])) return null;
  const match = matchAt(linkPattern, source, position);
  if (!match) return null;
  const text = withoutTrailingPunctuation(match[0]);
  const href = safeHref(text);
  return href ? { token: { kind: 'link', text, href }, end: position + text.length } : null;
}

/** The normalised address of a link that may be opened, or null. */
function safeHref(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && mayLeadOutside(url) ? url.href : null;
}

/** A full stop or bracket after a link belongs to the sentence, unless the link itself opened the bracket. */
function withoutTrailingPunctuation(link: string): string {
  let end = link.length;
  while (end > 0) {
    const last = link[end - 1] ?? '';
    const opens = link.slice(0, end).split('(').length;
    const closes = link.slice(0, end).split(')').length;
    if (/[.,;:!?'*_~\]}»”’]/.test(last) || (last === ')' && closes > opens)) end -= 1;
    else break;
  }
  return link.slice(0, end);
}

function emphasisAt(source: string, position: number, depth: number): Found | null {
  const character = source[position];
  if ((character !== '*' && character !== '_') || source[position - 1] === character) return null;
  if (depth >= maximumDepth) return null;
  const mark = source[position + 1] === character ? character.repeat(2) : character;
  if (isWordCharacter(source[position - 1]) || /\s|^$/.test(source[position + mark.length] ?? ''))
    return null;
  const end = closingMark(source, position + mark.length, mark);
  if (end === -1) return null;
  const children = tokenize(source.slice(position + mark.length, end), depth + 1);
  return { token: { kind: mark.length === 2 ? 'bold' : 'italic', children }, end: end + mark.length };
}

/** Where the mark closes within its own line, or -1: after a non-space and not inside a word. */
function closingMark(source: string, start: number, mark: string): number {
  const newline = source.indexOf('\n', start);
  const limit = Math.min(newline === -1 ? source.length : newline, start + longestEmphasis);
  for (let at = source.indexOf(mark, start); at !== -1 && at < limit; at = source.indexOf(mark, at + 1)) {
    const endsRun = source[at + mark.length] !== mark[0];
    const isAlone = mark.length === 2 || source[at - 1] !== mark[0];
    const endsWord = !/\s/.test(source[at - 1] ?? ' ') && !isWordCharacter(source[at + mark.length]);
    if (at > start && endsRun && isAlone && endsWord) return at;
  }
  return -1;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function matchAt(pattern: RegExp, source: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(source);
}
