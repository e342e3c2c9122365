/** The links of a message. */
import { type Token, tokenize } from './markdown.ts';

/** Limit of links of one message. */
const MOST_LINKS = 50;

/** The addresses of the links in a text, in order, each once, at most {@link MOST_LINKS}. */
export function linksIn(text: string): string[] {
  const found = new Set<string>();
  collect(tokenize(text), found);
  return [...found].slice(0, MOST_LINKS);
}

function collect(tokens: readonly Token[], found: Set<string>): void {
  for (const token of tokens) {
    if (token.kind === 'link') found.add(token.href);
    if ('children' in token) collect(token.children, found);
  }
}
