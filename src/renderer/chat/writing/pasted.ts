/**
 * Converts content copied from a page or a document to the marks of a message.
 *
 * Its source is not trusted: nothing is loaded or run. Content that is too large or too deep, or that marks cannot
 * express, is pasted as plain text.
 */
import { textWithoutMarks } from '../../../base/markdown/words.ts';
import { type HtmlElement, htmlTree, UnreadableHtml } from './html-tree.ts';

/** In characters. */
const LARGEST = 200_000;
const MAX_LISTS = 4;
/** Parts of one line: each is compared with all others. */
const MAX_RUNS = 500;
/** Their addresses follow their words: an article with more would be unreadable. */
const MAX_LINKS = 5;
/** The most columns of one table cell. */
const MAX_COLUMNS = 100;

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
const skipped = new Set(['head', 'template', 'button', 'svg', 'math', 'select', 'object', 'video', 'audio']);
/** Blocks with an empty line before and after. */
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
/** A table cell has room for one line. */
const noCell = new Set(['table', 'ul', 'ol', 'pre', 'blockquote', 'hr', 'h1', 'h2', 'h3', 'h4']);

/** A part of a line with the same marks. */
interface Run {
  text: string;
  marks: ReadonlySet<Mark>;
}

/** Content that marks cannot express. */
class Unsayable extends Error {}

/**
 * The message text for copied HTML.
 * @returns null if its plain text is equivalent
 */
export function markdownIn(html: string): string | null {
  if (html.length > LARGEST) return null;
  try {
    const root = htmlTree(html);
    const reader = new Reader(
      elementsIn(root, ({ name, attributes }) => name === 'a' && attributes.has('href')).length <= MAX_LINKS,
    );
    reader.read(root);
    const { marked, plain } = reader.end();
    // The visible text must equal the copied one: an invalid mark would be visible itself.
    return marked === plain || squeezed(textWithoutMarks(marked)) !== squeezed(plain) ? null : marked;
  } catch (error) {
    if (error instanceof Unsayable || error instanceof UnreadableHtml) return null;
    throw error;
  }
}

/** Reports whether a position is in code, where marks are ignored. */
export function isInCode(text: string, place: number): boolean {
  const [before, behind] = [text.slice(0, place), text.slice(place)];
  if (before.split('```').length % 2 === 0) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1).replaceAll('```', '');
  return line.split('`').length % 2 === 0 && /^[^`\n]*`/.test(behind);
}

/** Bullets and numbers are ignored. */
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
  /** The prefix of each line of a quote. */
  #quote = '';
  /** The prefix of the next line of a list, once. */
  #item = '';
  #lists = 0;
  #isInCell = false;

  constructor(keepsLinks: boolean) {
    this.#keepsLinks = keepsLinks;
  }

  read(node: HtmlElement | string, active: ReadonlySet<Mark> = new Set()): void {
    if (this.#runs.length > MAX_RUNS) throw new Unsayable();
    if (typeof node === 'string') {
      this.#runs.push({ text: node.replace(/\s+/g, ' '), marks: active });
      return;
    }
    const { name } = node;
    if (skipped.has(name) || isHidden(node)) return;
    if (this.#isInCell && noCell.has(name)) throw new Unsayable();
    if (name === 'br' && this.#isInCell) this.#runs.push({ text: '\n', marks: active });
    else if (name === 'br') this.#endLine();
    else if (name === 'table') this.#table(node, active);
    else if (isCode(node)) this.#codeOfEditor(node);
    else if (blocks.has(name) && !this.#isInCell) this.#block(node, active);
    else this.#inline(node, marksIn(node, active));
  }

  end(): { marked: string; plain: string } {
    this.#endLine(false);
    const tidy = (lines: readonly string[]) => lines.join('\n').replace(/^\n+|\s+$/g, '');
    return { marked: tidy(this.#marked), plain: tidy(this.#plain) };
  }

  #children(node: HtmlElement, active: ReadonlySet<Mark>): void {
    for (const child of node.children) this.read(child, active);
  }

  #inline(node: HtmlElement, active: ReadonlySet<Mark>): void {
    const from = this.#runs.length;
    this.#children(node, active);
    if (node.name !== 'a' || !this.#keepsLinks) return;
    const address = node.attributes.get('href') ?? '';
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

  #block(node: HtmlElement, active: ReadonlySet<Mark>): void {
    const { name } = node;
    const item = itemOfOffice(node);
    const isApart = apart.has(name) && this.#lists === 0 && item === null;
    this.#endLine(false);
    if (isApart) this.#emptyLine();
    if (name === 'pre') this.#code(node);
    else if (name === 'blockquote') this.#quoted(node, active);
    else if (name === 'ul' || name === 'ol') this.#list(node, active);
    else {
      if (item !== null) this.#item = item;
      this.#children(node, marksIn(node, active));
    }
    this.#endLine(false);
    if (item !== null) this.#item = '';
    if (isApart) this.#emptyLine();
  }

  #quoted(node: HtmlElement, active: ReadonlySet<Mark>): void {
    const before = this.#quote;
    this.#quote += '> ';
    this.#children(node, active);
    this.#endLine(false);
    this.#quote = before;
    // The empty line after the last paragraph of a quote is outside of it.
    if (this.#plain.at(-1) === '') this.#marked.splice(-1, 1, before.trimEnd());
  }

  #list(node: HtmlElement, active: ReadonlySet<Mark>): void {
    if (this.#lists === MAX_LISTS) throw new Unsayable();
    this.#lists += 1;
    let number =
      node.name === 'ol' ? Number(/^\d{1,9}$/.exec(node.attributes.get('start') ?? '1')?.[0] ?? 1) : null;
    for (const child of node.children) {
      this.#endLine(false);
      const isItem = typeof child !== 'string' && child.name === 'li';
      const mark = number === null ? '-' : `${number}.`;
      if (isItem) this.#item = `${'  '.repeat(this.#lists - 1)}${mark} `;
      if (isItem && number !== null) number += 1;
      this.read(child, active);
      this.#endLine(false);
      this.#item = '';
    }
    this.#lists -= 1;
  }

  #code(node: HtmlElement): void {
    const code = codeIn(node).replace(/^\n|\s+$/g, '');
    if (this.#quote !== '' || this.#lists > 0 || code.includes('```')) throw new Unsayable();
    if (code === '') return;
    const [first] = node.children.filter((child) => typeof child !== 'string');
    const classes = `${node.attributes.get('class')} ${first?.attributes.get('class')}`;
    const language = /\blanguage-([\w+#.-]{1,32})/.exec(classes)?.[1];
    this.#marked.push(`\`\`\`${language ?? ''}\n${code}\n\`\`\``);
    this.#plain.push(code);
  }

  /** A part of one line is plain text: a name, or a word. */
  #codeOfEditor(node: HtmlElement): void {
    if (this.#isInCell || !codeIn(node).trim().includes('\n')) throw new Unsayable();
    this.#endLine(false);
    this.#code(node);
  }

  /** One line for each row, with tabs between cells, as programs write it in plain text. */
  #table(node: HtmlElement, active: ReadonlySet<Mark>): void {
    if (this.#quote !== '' || this.#lists > 0) throw new Unsayable();
    this.#endLine(false);
    for (const row of elementsIn(node, ({ name }) => name === 'tr')) {
      const cells = elementsIn(row, ({ name }) => name === 'td' || name === 'th').filter(
        (cell) => !isHidden(cell),
      );
      const [marked, plain]: [string[], string[]] = [[], []];
      for (const cell of cells) {
        const { runs, columns } = this.#cell(cell, active);
        marked.push(withMarks(runs), ...columns);
        plain.push(wordsOf(runs), ...columns);
      }
      this.#marked.push(marked.join('\t'));
      this.#plain.push(plain.join('\t'));
    }
  }

  /** @returns also an empty text for each further column that it spans */
  #cell(cell: HtmlElement, active: ReadonlySet<Mark>): { runs: Run[]; columns: string[] } {
    const width = Number(cell.attributes.get('colspan') ?? 1);
    const isOneLine = elementsIn(cell, ({ name }) => name === 'p' || name === 'div').length <= 1;
    if (!isOneLine || !(width <= MAX_COLUMNS) || Number(cell.attributes.get('rowspan') ?? 1) !== 1)
      throw new Unsayable();
    this.#isInCell = true;
    this.#children(cell, marksIn(cell, active));
    this.#isInCell = false;
    // A program writes one into an empty cell.
    if (wordsOf(this.#runs).includes('\n')) throw new Unsayable();
    return { runs: this.#runs.splice(0), columns: new Array(Math.max(0, width - 1)).fill('') };
  }

  /** @param isForced true for a line even if it is empty */
  #endLine(isForced = true): void {
    const plain = wordsOf(this.#runs);
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

/** The marks inside of an element. */
function marksIn({ name, style }: HtmlElement, active: ReadonlySet<Mark>): ReadonlySet<Mark> {
  const found = new Set(active);
  const mark = Object.hasOwn(marksOf, name) ? marksOf[name] : undefined;
  if (mark) found.add(mark);
  // Office documents mark by style, and also cancel an element's mark by style.
  const [weight, slant] = [style.get('font-weight'), style.get('font-style')];
  if (weight !== undefined) set(found, 'bold', /^bold(?:er)?$/.test(weight) || Number(weight) >= 600);
  if (slant !== undefined) set(found, 'italic', slant === 'italic');
  const lines = `${style.get('text-decoration')} ${style.get('text-decoration-line')}`;
  if (lines.includes('line-through')) found.add('strikethrough');
  return found;
}

function set(marks: Set<Mark>, mark: Mark, isOn: boolean): void {
  if (isOn) marks.add(mark);
  else marks.delete(mark);
}

const isHidden = ({ attributes, style }: HtmlElement) =>
  attributes.has('hidden') || style.get('display') === 'none' || style.get('mso-list') === 'ignore';

/** Code as editors copy it. */
const isCode = ({ name, style }: HtmlElement) => name !== 'pre' && style.get('white-space') === 'pre';

/** Matching descendants in order; matches are not searched further. */
function elementsIn(node: HtmlElement, isOne: (element: HtmlElement) => boolean): HtmlElement[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return isOne(child) ? [child] : elementsIn(child, isOne);
  });
}

/** The text of code, each block on its own line. */
function codeIn(node: HtmlElement | string): string {
  if (typeof node === 'string') return node.replaceAll('\u00a0', ' ');
  if (node.name === 'br') return '\n';
  let code = '';
  for (const child of node.children) {
    const isLine = typeof child !== 'string' && blocks.has(child.name);
    if (isLine && code !== '' && !code.endsWith('\n')) code += '\n';
    code += codeIn(child);
    if (isLine && !code.endsWith('\n')) code += '\n';
  }
  return code;
}

/** The mark of a list item that Word writes as a paragraph; null for none. */
function itemOfOffice(node: HtmlElement): string | null {
  const level = /\blevel(\d)\b/.exec(node.style.get('mso-list') ?? '')?.[1];
  if (level === undefined) return null;
  if (Number(level) > MAX_LISTS) throw new Unsayable();
  const [sign] = elementsIn(node, ({ style }) => style.get('mso-list') === 'ignore');
  const number = /^\s*(\d{1,9})[.)]/.exec(sign ? codeIn(sign) : '')?.[1];
  return `${'  '.repeat(Math.max(0, Number(level) - 1))}${number === undefined ? '-' : `${number}.`} `;
}

/** The text of a line, without marks. */
function wordsOf(runs: readonly Run[]): string {
  return runs
    .map(({ text }) => text)
    .join('')
    .replace(/ +/g, ' ')
    .trim();
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

/** Successive runs with the mark, or without it. Blank ones belong to the run before. */
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

/** Reports whether the parser accepts a mark around these runs: not inside a word, and not around nothing. */
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
