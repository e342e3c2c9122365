/** The links of a message. */
import { type Token, tokenize } from './markdown.ts';

/** Limit of links of one message. */
const MAX_LINKS = 50;

/** The addresses of the links in a text, in order, each once, at most {@link MAX_LINKS}. */
export function linksIn(text: string): string[] {
  const found = new Set<string>();
  collect(tokenize(text), found);
  return [...found].slice(0, MAX_LINKS);
}

/** The first https link of a text outside of code, in the form in which it is written there; null for none. */
export function firstWrittenLink(text: string): string | null {
  const link = firstLink(tokenize(text));
  if (!link) return null;
  const { href } = link;
  // A bare link is its own text, and the parser's form may differ from it.
  return [link.text, href].find((each) => isFormOf(each, href) && text.includes(each)) ?? null;
}

function firstLink(tokens: readonly Token[]): Extract<Token, { kind: 'link' }> | null {
  for (const token of tokens) {
    if (token.kind === 'link' && token.href.startsWith('https:')) return token;
    const inside = 'children' in token ? firstLink(token.children) : null;
    if (inside) return inside;
  }
  return null;
}

const isFormOf = (written: string, href: string) => URL.canParse(written) && new URL(written).href === href;

function collect(tokens: readonly Token[], found: Set<string>): void {
  for (const token of tokens) {
    if (token.kind === 'link') found.add(token.href);
    if ('children' in token) collect(token.children, found);
  }
}
