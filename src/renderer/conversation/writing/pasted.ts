/**
 * What was copied from a page or a document, in the marks of a message.
 *
 * The page that it comes from is not trusted: it is read without being drawn, nothing of it is loaded or run, and what is
 * too large or too deep is pasted as plain text, as is what the marks cannot say.
 */
import { textWithoutMarks } from '../markdown-words.ts';

/** In characters. */
const LARGEST = 200_000;
const MOST_LISTS = 4;
const DEEPEST = 200;
/** Parts of one line: each is looked at with all others. */
const MOST_RUNS = 500;
/** Their addresses stand behind their words. An article with more could not be read for them. */
const MOST_LINKS = 5;

type Mark = 'bold' | 'italic' | 'strikethrough' | 'code';
/** From the outside in. */
const marks: readonly (readonly [Mark, string])[] = [
  ['bold', '**'],
  ['italic', '_'],
  ['strikethrough', '~~'],
  ['code', '`'],
];
const marksOf: Readonly<Record<string, Mark>> = {
  b: 'bold',
  strong: 'bold',
  h1: 'bold',
  h2: 'bold',
  h3: 'bold',
  h4: 'bold',
  h5: 'bold',
  h6: 'bold',
  i: 'italic',
  em: 'italic',
  s: 'strikethrough',
  del: 'strikethrough',
  strike: 'strikethrough',
  code: 'code',
  kbd: 'code',
  samp: 'code',
};
const skipped = new Set(['head', 'style', 'script', 'template', 'noscript', 'button', 'title', 'svg', 'img']);
/** Blocks with an empty line before and behind them. */
const apart = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'blockquote', 'pre', 'hr']);
const blocks = new Set([
  ...apart,
  'div',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'li',
  'dt',
  'dd',
  'body',
]);

/** A part of a line whose marks are the same. */
interface Run {
  text: string;
  marks: ReadonlySet<Mark>;
}

/** What the marks of a message do not say. */
class Unsayable extends Error {}

/**
 * The text of a message for copied HTML.
 * @returns null where its plain text says as much
 */
export function markdownIn(html: string): string | null {
  if (html.length > LARGEST) return null;
  try {
    const { body } = new DOMParser().parseFromString(html, 'text/html');
    const reader = new Reader(body.querySelectorAll('a[href]').length <= MOST_LINKS);
    reader.read(body);
    const { marked, plain } = reader.end();
    // What is seen in the end is what was copied: a mark that stands where it is none would be seen itself.
    return marked === plain || squeezed(textWithoutMarks(marked)) !== squeezed(plain) ? null : marked;
  } catch (error) {
    if (error instanceof Unsayable) return null;
    throw error;
  }
}

/** Whether a place in a text is in code, which has no marks in it. */
export function isInCode(text: string, place: number): boolean {
  const [before, behind] = [text.slice(0, place), text.slice(place)];
  if (before.split('```').length % 2 === 0) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1).replaceAll('```', '');
  return line.split('`').length % 2 === 0 && /^[^`\n]*`/.test(behind);
}

/** Bullets and numbers are not words. */
function squeezed(text: string): string {
  return text
    .replace(/^[ >]*(?:[•-]|\d+\.) |^[> ]+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

class Reader {
  readonly #keepsLinks: boolean;
  readonly #marked: string[] = [];
  readonly #plain: string[] = [];
  #runs: Run[] = [];
  /** What stands before each line of a quote. */
  #quote = '';
  /** What stands before the next line of a list, once. */
  #item = '';
  #lists = 0;

  constructor(keepsLinks: boolean) {
    this.#keepsLinks = keepsLinks;
  }

  read(node: Node, active: ReadonlySet<Mark> = new Set(), depth = 0): void {
    if (depth > DEEPEST || this.#runs.length > MOST_RUNS) throw new Unsayable();
    if (node instanceof Text) this.#runs.push({ text: node.data.replace(/\s+/g, ' '), marks: active });
    if (!(node instanceof HTMLElement)) return;
    const name = node.localName;
    // Tables, and code as editors copy it, say more in their plain text.
    if (name === 'table' || (node.style.whiteSpace === 'pre' && name !== 'pre')) throw new Unsayable();
    if (skipped.has(name) || node.hidden) return;
    if (name === 'br') this.#endLine();
    else if (blocks.has(name)) this.#block(node, active, depth);
    else this.#inline(node, marksIn(node, active), depth);
  }

  end(): { marked: string; plain: string } {
    this.#endLine(false);
    const tidy = (lines: readonly string[]) => lines.join('\n').replace(/^\n+|\s+$/g, '');
    return { marked: tidy(this.#marked), plain: tidy(this.#plain) };
  }

  #children(node: Node, active: ReadonlySet<Mark>, depth: number): void {
    for (const child of node.childNodes) this.read(child, active, depth + 1);
  }

  #inline(node: HTMLElement, active: ReadonlySet<Mark>, depth: number): void {
    const from = this.#runs.length;
    this.#children(node, active, depth);
    if (node.localName !== 'a' || !this.#keepsLinks) return;
    const address = node.getAttribute('href') ?? '';
    const words = this.#runs
      .slice(from)
      .map(({ text }) => text)
      .join('')
      .trim();
    const isSame = bare(words) === bare(address);
    if (words === '' || !/^(?:https:\/\/|mailto:)\S+$/i.test(address)) return;
    if (isSame) this.#runs.splice(from, Number.POSITIVE_INFINITY, { text: address, marks: new Set() });
    else this.#runs.push({ text: ` (${address})`, marks: new Set() });
  }

  #block(node: HTMLElement, active: ReadonlySet<Mark>, depth: number): void {
    const { localName: name } = node;
    const isApart = apart.has(name) && this.#lists === 0;
    this.#endLine(false);
    if (isApart) this.#emptyLine();
    if (name === 'pre') this.#code(node);
    else if (name === 'blockquote') this.#quoted(node, active, depth);
    else if (name === 'ul' || name === 'ol') this.#list(node, active, depth);
    else this.#children(node, marksIn(node, active), depth);
    this.#endLine(false);
    if (isApart) this.#emptyLine();
  }

  #quoted(node: HTMLElement, active: ReadonlySet<Mark>, depth: number): void {
    const before = this.#quote;
    this.#quote += '> ';
    this.#children(node, active, depth);
    this.#endLine(false);
    this.#quote = before;
    // The last paragraph of a quote has an empty line behind it, as others do: it is outside.
    if (this.#plain.at(-1) === '') this.#marked.splice(-1, 1, before.trimEnd());
  }

  #list(node: HTMLElement, active: ReadonlySet<Mark>, depth: number): void {
    if (this.#lists === MOST_LISTS) throw new Unsayable();
    this.#lists += 1;
    let number = node instanceof HTMLOListElement ? node.start : null;
    for (const child of node.childNodes) {
      this.#endLine(false);
      const isItem = child instanceof HTMLLIElement;
      const mark = number === null ? '-' : `${number}.`;
      if (isItem) this.#item = `${'  '.repeat(this.#lists - 1)}${mark} `;
      if (isItem && number !== null) number += 1;
      this.read(child, active, depth + 1);
      this.#endLine(false);
      this.#item = '';
    }
    this.#lists -= 1;
  }

  #code(node: HTMLElement): void {
    const code = (node.textContent ?? '').replace(/^\n|\s+$/g, '');
    if (this.#quote !== '' || this.#lists > 0 || code.includes('```')) throw new Unsayable();
    if (code === '') return;
    const language = /\blanguage-([\w+#.-]{1,32})/.exec(
      `${node.className} ${node.firstElementChild?.className}`,
    )?.[1];
    this.#marked.push(`\`\`\`${language ?? ''}\n${code}\n\`\`\``);
    this.#plain.push(code);
  }

  /** @param isForced whether there is a line even if nothing stands in it */
  #endLine(isForced = true): void {
    const plain = this.#runs
      .map(({ text }) => text)
      .join('')
      .replace(/ +/g, ' ')
      .trim();
    const before = this.#quote + this.#item;
    if (plain !== '') {
      this.#marked.push(before + withMarks(this.#runs));
      this.#plain.push(plain);
      this.#item = '';
    } else if (isForced && this.#lists === 0) {
      this.#marked.push(this.#quote.trimEnd());
      this.#plain.push('');
    }
    this.#runs = [];
  }

  #emptyLine(): void {
    const last = this.#plain.at(-1);
    if (last === undefined || last === '') return;
    this.#marked.push(this.#quote.trimEnd());
    this.#plain.push('');
  }
}

/** The marks of what stands in an element. */
function marksIn({ localName, style }: HTMLElement, active: ReadonlySet<Mark>): ReadonlySet<Mark> {
  const found = new Set(active);
  const mark = marksOf[localName];
  if (mark) found.add(mark);
  // Documents from an office mark by style, and take the mark of an element back by style.
  const { fontWeight, fontStyle, textDecorationLine } = style;
  if (fontWeight === 'bold' || Number(fontWeight) >= 600) found.add('bold');
  else if (fontWeight !== '') found.delete('bold');
  if (fontStyle === 'italic') found.add('italic');
  else if (fontStyle !== '') found.delete('italic');
  if (textDecorationLine.includes('line-through')) found.add('strikethrough');
  return found;
}

/** One line with its marks. */
function withMarks(runs: readonly Run[], inside: readonly Run[] = runs, from = 0): string {
  const [mark, sign] = marks[from] ?? [];
  if (mark === undefined || sign === undefined) return inside.map(({ text }) => text).join('');
  let line = '';
  for (const stretch of stretches(inside, mark)) {
    const words = withMarks(runs, stretch, from + 1);
    const isMarked = stretch.some((run) => run.marks.has(mark)) && mayStand(runs, stretch, mark);
    line += isMarked ? words.replace(/^(\s*)(.*?)(\s*)$/s, `$1${sign}$2${sign}$3`) : words;
  }
  return from === 0 ? line.replace(/ +/g, ' ').trim() : line;
}

/** Runs that follow each other and have a mark, or have it not. What is blank goes with what is before it. */
function stretches(runs: readonly Run[], mark: Mark): Run[][] {
  const found: Run[][] = [];
  let had: boolean | null = null;
  for (const run of runs) {
    const has: boolean = run.text.trim() === '' && had !== null ? had : run.marks.has(mark);
    if (has === had) found.at(-1)?.push(run);
    else found.push([run]);
    had = has;
  }
  return found;
}

/** Whether a message would have a mark around these runs: not inside a word, and not around nothing. */
function mayStand(runs: readonly Run[], stretch: readonly Run[], mark: Mark): boolean {
  const textOf = (some: readonly Run[]) => some.map(({ text }) => text).join('');
  const [first, last] = [runs.indexOf(stretch[0] as Run), runs.indexOf(stretch.at(-1) as Run)];
  const words = textOf(stretch);
  if (words.trim() === '' || (mark === 'code' && words.includes('`'))) return false;
  const [before, behind] = [textOf(runs.slice(0, first)), textOf(runs.slice(last + 1))];
  const isInWordBefore = /[\p{L}\p{N}]$/u.test(before) && !/^\s/.test(words);
  return !isInWordBefore && !(/^[\p{L}\p{N}]/u.test(behind) && !/\s$/.test(words));
}

const bare = (address: string) => address.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');
