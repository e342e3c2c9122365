/**
 * A small and safe part of Markdown: bold, italic, strikethrough, code, bare links, quotes and lists. An interface shows the
 * tokens, and the engine lists their links.
 *
 * A link's text is always its address: a message cannot show one address and open another. Nothing here creates HTML;
 * tokens become React nodes. Messages come from others, so parsing takes time in proportion to their length, independent of
 * their contents: the parser goes from left to right, and looks ahead only in positions found in one pass.
 */
import { mayLeadOutside } from '../outside-address.ts';
import { type ItemLine, itemLine, type Line, lineAt, linesWhile, quoteStart } from './blocks.ts';
import { Places, placesOf } from './places.ts';

/** @typeParam Other kinds of tokens that an interface creates itself */
export type Token<Other = never> =
  | Other
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  /** A code block; the language follows the opening marks, and may be empty. */
  | { kind: 'code-block'; language: string; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'bold' | 'italic' | 'strikethrough' | 'quote'; children: Token<Other>[] }
  | { kind: 'list'; isNumbered: boolean; children: Token<Other>[] }
  /** A list item; the number is the written one, and null in a bulleted list. */
  | { kind: 'item'; number: number | null; children: Token<Other>[] };

const schemePattern = /https:\/\/|mailto:/iy;
const languagePattern = /^([\w+#.-]{0,32})\n/;
/** In characters. A longer text is not a link: cut, it would have another destination. */
const longestLink = 2048;
/** Deeper marks stay plain text, so that a hostile message cannot nest without end. */
const maximumDepth = 4;
/** The greatest depth of nested quotes, and of nested lists. */
const maximumBlocks = 4;
/** The greatest distance between a mark and its closing one, in characters. */
const longestEmphasis = 2000;

/** Splits a message into tokens. Keeps every character except marks and the newline at the end of a block. */
export function tokenize(source: string): Token[] {
  return new Reader(source).read(0, source.length, 0);
}

const blocks: ReadonlySet<string> = new Set(['code-block', 'quote', 'list', 'item']);

/** Reports whether it is a block. */
export function isBlock({ kind }: { kind: string }): boolean {
  return blocks.has(kind);
}

interface Found {
  tokens: Token[];
  end: number;
}

const doubled = { '*': '**', _: '__', '~': '~~' } as const;
type SingleMark = keyof typeof doubled;
type Mark = Exclude<SingleMark, '~'> | (typeof doubled)[SingleMark];

/** Parses one text from left to right. */
class Reader {
  readonly #source: string;
  readonly #newlines: Places;
  readonly #linkEnds: Places;
  /** Runs of one, two and three backticks. */
  readonly #backticks: readonly Places[];
  readonly #closing: Readonly<Record<Mark, Places>>;
  /** Text before this position is known to contain no link. */
  #noLinkBefore = 0;

  constructor(source: string) {
    this.#source = source;
    this.#newlines = placesOf(source, /\n/g);
    this.#linkEnds = placesOf(source, /[\s<>"`]/g);
    this.#backticks = backtickRuns(source);
    this.#closing = closingMarks(source);
  }

  /** The tokens from `from` up to `end`, as if the text had nothing else. Only called from left to right. */
  read(from: number, end: number, depth: number): Token[] {
    const tokens: Token[] = [];
    let plainFrom = from;
    let position = from;
    const endPlain = () => {
      if (position > plainFrom) tokens.push({ kind: 'text', text: this.#source.slice(plainFrom, position) });
    };
    while (position < end) {
      const found = this.#blockAt(position, end, depth) ?? this.#tokenAt(position, from, end, depth);
      if (found) {
        endPlain();
        tokens.push(...found.tokens);
        position = found.end;
        plainFrom = position;
      } else {
        position += 1;
      }
    }
    endPlain();
    return tokens;
  }

  #tokenAt(position: number, from: number, end: number, depth: number): Found | null {
    const before = position > from ? this.#source[position - 1] : undefined;
    switch (this.#source[position]) {
      case '`':
        return this.#codeAt(position, before, end);
      case 'h':
      case 'H':
      case 'm':
      case 'M':
        return this.#linkAt(position, before, end);
      case '*':
      case '_':
      case '~':
        return this.#emphasisAt(position, before, end, depth);
      default:
        return null;
    }
  }

  /** A quote or a list, if one starts at this line. */
  #blockAt(position: number, end: number, depth: number): Found | null {
    if (depth > 0 || (position > 0 && this.#source[position - 1] !== '\n')) return null;
    // Most lines are neither: their ends are not searched.
    if (!/[>\-*+•\d ]/.test(this.#source[position] ?? '')) return null;
    const line = lineAt(this.#source, position, end);
    const isOne =
      quoteStart(this.#source, line) === null
        ? (each: Line) => itemLine(this.#source, each) !== null
        : (each: Line) => quoteStart(this.#source, each) !== null;
    if (!isOne(line)) return null;
    const lines = linesWhile(this.#source, line, end, isOne);
    const to = lines.at(-1)?.to ?? end;
    return { tokens: this.#readLines(lines, 0), end: to < end ? to + 1 : to };
  }

  /** The tokens of lines with the same prefix. */
  #readLines(lines: readonly Line[], depth: number): Token[] {
    const tokens: Token[] = [];
    const isQuote = (line: Line) => depth < maximumBlocks && quoteStart(this.#source, line) !== null;
    const itemIn = (line: Line) => (isQuote(line) ? null : itemLine(this.#source, line));
    for (let index = 0; index < lines.length; ) {
      const first = lines[index] as Line;
      const item = itemIn(first);
      const isSame = isQuote(first) ? isQuote : item ? (line: Line) => itemIn(line) !== null : null;
      let next = index + 1;
      while (isSame && next < lines.length && isSame(lines[next] as Line)) next += 1;
      const run = lines.slice(index, next);
      if (item) tokens.push(...this.#lists(run.map((line) => [line, itemIn(line) as ItemLine])));
      else if (isSame)
        tokens.push({
          kind: 'quote',
          children: this.#readLines(
            run.map((line) => this.#unquoted(line)),
            depth + 1,
          ),
        });
      else {
        const isLast = next === lines.length;
        // The marks of each line close within it; lines are separated by newlines.
        if (first.to > first.from) tokens.push(...this.read(first.from, first.to, 1));
        if (!isLast) newline(tokens);
      }
      index = next;
    }
    return tokens;
  }

  #unquoted(line: Line): Line {
    return { from: quoteStart(this.#source, line) ?? line.from, to: line.to };
  }

  /** Successive items; deeper ones are nested under the one before. */
  #lists(lines: readonly (readonly [Line, ItemLine])[], depth = 1): Token[] {
    const lists: Extract<Token, { kind: 'list' }>[] = [];
    let indent = Number.POSITIVE_INFINITY;
    for (let index = 0; index < lines.length; ) {
      const [line, item] = lines[index] as readonly [Line, ItemLine];
      indent = Math.min(indent, item.indent);
      let next = index + 1;
      while (depth < maximumBlocks && (lines[next]?.[1].indent ?? 0) >= indent + 2) next += 1;
      const isNumbered = item.number !== null;
      if (lists.at(-1)?.isNumbered !== isNumbered) lists.push({ kind: 'list', isNumbered, children: [] });
      const children = this.read(item.start, line.to, 1);
      const inner = this.#lists(lines.slice(index + 1, next), depth + 1);
      lists.at(-1)?.children.push({ kind: 'item', number: item.number, children: [...children, ...inner] });
      index = next;
    }
    return lists;
  }

  /** One to three backticks up to the same number. */
  #codeAt(position: number, before: string | undefined, end: number): Found | null {
    if (before === '`') return null;
    let start = position + 1;
    while (start < end && this.#source[start] === '`' && start - position <= 3) start += 1;
    const length = start - position;
    const close = this.#backticks[length - 1]?.from(start) ?? end;
    if (close + length > end) return null;
    const inside = this.#source.slice(start, close);
    const after = close + length;
    if (length < 3 || !inside.includes('\n')) return { tokens: [{ kind: 'code', text: inside }], end: after };
    const language = languagePattern.exec(inside)?.[1] ?? '';
    const text = inside.slice(language.length).replace(/^\n|\n$/g, '');
    return {
      tokens: [{ kind: 'code-block', language, text }],
      end: after < end && this.#source[after] === '\n' ? after + 1 : after,
    };
  }

  #linkAt(position: number, before: string | undefined, end: number): Found | null {
    if (position < this.#noLinkBefore || isWordCharacter(before)) return null;
    schemePattern.lastIndex = position;
    if (!schemePattern.test(this.#source)) return null;
    const wordEnd = Math.min(this.#linkEnds.from(position), end);
    const isShort = wordEnd - position <= longestLink;
    const text = isShort ? withoutTrailingPunctuation(this.#source.slice(position, wordEnd)) : '';
    const href = safeHref(text);
    if (href) return { tokens: [{ kind: 'link', text, href }], end: position + text.length };
    // Otherwise each of many candidates in one long word would be tried up to its end.
    this.#noLinkBefore = wordEnd;
    return null;
  }

  #emphasisAt(position: number, before: string | undefined, end: number, depth: number): Found | null {
    const character = this.#source[position] as SingleMark;
    if (before === character || isWordCharacter(before) || depth >= maximumDepth) return null;
    const isDouble = position + 1 < end && this.#source[position + 1] === character;
    const mark: Mark | '~' = isDouble ? doubled[character] : character;
    if (mark === '~') return null;
    const start = position + mark.length;
    if (start >= end || isSpace(this.#source[start])) return null;
    const close = this.#closingMark(start, mark, end);
    if (close === -1) return null;
    const children = this.read(start, close, depth + 1);
    const kind = mark === '~~' ? 'strikethrough' : isDouble ? 'bold' : 'italic';
    return { tokens: [{ kind, children }], end: close + mark.length };
  }

  /** Position of the closing mark in the same line, or -1. */
  #closingMark(start: number, mark: Mark, end: number): number {
    const limit = Math.min(this.#newlines.from(start), end, start + longestEmphasis);
    let at = this.#closing[mark].from(start + 1);
    if (at + mark.length > end) {
      // The last mark before the end closes too, even if the text continues with the same mark outside.
      at = end - mark.length;
      if (at <= start || !closes(this.#source, at, mark, end)) return -1;
    }
    return at < limit ? at : -1;
  }
}

function newline(tokens: Token[]): void {
  const last = tokens.at(-1);
  // One for several empty lines: the output is not longer than the source.
  if (last?.kind === 'text') last.text += '\n';
  else tokens.push({ kind: 'text', text: '\n' });
}

function backtickRuns(source: string): Places[] {
  const runs: number[][] = [[], [], []];
  for (const { index, 0: run } of source.matchAll(/`+/g)) runs[run.length - 1]?.push(index);
  return runs.map((places) => new Places(places));
}

function closingMarks(source: string): Record<Mark, Places> {
  const found: Record<Mark, number[]> = { '*': [], '**': [], _: [], __: [], '~~': [] };
  for (const { index, 0: run } of source.matchAll(/\*+|_+|~{2,}/g)) {
    const character = run[0] as SingleMark;
    const mark = (run.length === 1 ? character : doubled[character]) as Mark;
    const at = index + run.length - mark.length;
    if (closes(source, at, mark, source.length)) found[mark].push(at);
  }
  return {
    '*': new Places(found['*']),
    '**': new Places(found['**']),
    _: new Places(found._),
    __: new Places(found.__),
    '~~': new Places(found['~~']),
  };
}

/** Reports whether a mark at `at` closes if the text ends at `end`: after a non-space and not inside a word. */
function closes(source: string, at: number, mark: Mark, end: number): boolean {
  const after = at + mark.length < end ? source[at + mark.length] : undefined;
  const before = source[at - 1];
  if (!source.startsWith(mark, at) || after === mark[0] || isWordCharacter(after)) return false;
  return before !== undefined && !isSpace(before) && (mark.length === 2 || before !== mark);
}

/** The normalised address of an allowed link, or null. */
function safeHref(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && mayLeadOutside(url) ? url.href : null;
}

/** A full stop or bracket after a link belongs to the sentence, unless the link contains the opening bracket. */
function withoutTrailingPunctuation(link: string): string {
  let unopened = link.split(')').length - link.split('(').length;
  let end = link.length;
  for (; end > 0; end--) {
    const last = link[end - 1] ?? '';
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!/[.,;:!?'*_~\]}»”’]/.test(last)) break;
  }
  return link.slice(0, end);
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
