/**
 * Copied HTML as a tree of elements and texts, parsed without the browser's parser: the page's policy forbids
 * creating a document from a text, and the browser would report each style and script in it as a violation. Nothing
 * is loaded or run. Output of programs is parsed as in a browser; of broken HTML, its texts.
 */
import { withoutEntities } from './html-entities.ts';

export interface HtmlElement {
  /** In lower case. */
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: (HtmlElement | string)[];
  /** Its declared style: by its classes, then by itself. Values are in lower case. */
  style: ReadonlyMap<string, string>;
}

/** Unsupported HTML. */
export class UnreadableHtml extends Error {}

/** The greatest depth of elements. */
const DEEPEST = 200;
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Their text is not HTML. */
const raw = new Set('script style textarea title iframe noembed noframes noscript xmp'.split(' '));
const endingParagraphs = new Set(
  'address article aside blockquote center div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr li dd dt main nav ol p pre section table ul'.split(
    ' ',
  ),
);
/** For an element that ends others of its kind when it starts: those others, and the element around them. */
const siblings: Readonly<Record<string, readonly [ends: readonly string[], within: readonly string[]]>> = {
  li: [['li'], ['ul', 'ol']],
  dt: [['dt', 'dd'], ['dl']],
  dd: [['dt', 'dd'], ['dl']],
  td: [
    ['td', 'th'],
    ['table', 'tr'],
  ],
  th: [
    ['td', 'th'],
    ['table', 'tr'],
  ],
  tr: [['tr'], ['table']],
};
const tag = /<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/iy;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const rule = /\.([\w-]+)\s*\{([^{}]*)\}/g;

/**
 * @returns its root, which is not an element of the source
 * @throws UnreadableHtml
 */
export function htmlTree(html: string): HtmlElement {
  return new TreeBuilder(html).root;
}

class TreeBuilder {
  readonly root: HtmlElement = { name: '', attributes: new Map(), children: [], style: new Map() };
  readonly #open: HtmlElement[] = [this.root];
  readonly #classes = new Map<string, string>();

  constructor(html: string) {
    let from = 0;
    while (from < html.length) {
      const bracket = html.indexOf('<', from);
      if (bracket !== from) this.#text(html.slice(from, bracket === -1 ? html.length : bracket));
      if (bracket === -1) return;
      from = this.#markup(html, bracket);
    }
  }

  get #current(): HtmlElement {
    return this.#open.at(-1) ?? this.root;
  }

  /** @returns its end; the end of the HTML if it has none */
  #markup(html: string, from: number): number {
    const after = (end: string) => {
      const place = html.indexOf(end, from);
      return place === -1 ? html.length : place + end.length;
    };
    if (html.startsWith('<!--', from)) return after('-->');
    if (/^<(?:[!?]|\/[^a-z])/i.test(html.slice(from, from + 3))) return after('>');
    if (!/^<\/?[a-z]/i.test(html.slice(from, from + 3))) {
      this.#text('<');
      return from + 1;
    }
    tag.lastIndex = from;
    const [whole, slash, written = '', attributes = ''] = tag.exec(html) ?? [];
    if (whole === undefined) return html.length;
    const name = written.toLowerCase();
    const end = from + whole.length;
    if (slash !== '') this.#close(name);
    else if (raw.has(name)) return this.#raw(html, name, end);
    else this.#begin(name, attributes);
    return end;
  }

  /** Skips the text of an element that is not HTML; stores the classes of a style element. */
  #raw(html: string, name: string, from: number): number {
    const ending = new RegExp(`</${name}[\\s/>]`, 'gi');
    ending.lastIndex = from;
    const end = ending.exec(html)?.index ?? html.length;
    if (name === 'style') {
      for (const [, each = '', declarations = ''] of html.slice(from, end).matchAll(rule))
        this.#classes.set(each, `${this.#classes.get(each) ?? ''};${declarations}`);
    }
    return end;
  }

  #begin(name: string, written: string): void {
    if (endingParagraphs.has(name)) this.#end(['p'], ['table', 'td', 'th', 'li', 'button']);
    const [ends, within] = siblings[name] ?? [];
    if (ends && within) this.#end(ends, within);
    const attributes = attributesIn(written);
    const ofClasses = (attributes.get('class') ?? '')
      .split(/\s+/)
      .map((each) => this.#classes.get(each) ?? '');
    const style = declarationsIn([...ofClasses, attributes.get('style') ?? ''].join(';'));
    const element = { name, attributes, children: [], style };
    this.#current.children.push(element);
    if (empty.has(name)) return;
    if (this.#open.length > DEEPEST) throw new UnreadableHtml();
    this.#open.push(element);
  }

  #close(name: string): void {
    // Nothing in a cell ends an element around its table.
    this.#end([name], name === 'table' ? [] : ['table']);
  }

  /** Ends the innermost open element with these names, and its open descendants; none outside of `within`. */
  #end(names: readonly string[], within: readonly string[]): void {
    const place = this.#open.findLastIndex(({ name }) => names.includes(name) || within.includes(name));
    if (place > 0 && names.includes(this.#open[place]?.name ?? '')) this.#open.splice(place);
  }

  #text(written: string): void {
    const text = withoutEntities(written);
    if (text === null) throw new UnreadableHtml();
    this.#current.children.push(text);
  }
}

function attributesIn(written: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, bare] of written.matchAll(attribute)) {
    const value = double ?? single ?? bare ?? '';
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, withoutEntities(value) ?? value);
  }
  return found;
}

function declarationsIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, colon).trim().toLowerCase();
    if (colon > 0)
      found.set(
        property,
        declaration
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
      );
  }
  return found;
}
