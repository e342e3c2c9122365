/**
 * Mentions in a text. Before parsing, each is replaced by one character that the text does not contain, so that marks
 * around and beside it are parsed as around a word.
 */

import { type Token, tokenize } from '../base/markdown/markdown.ts';
import { personName } from '../base/person-name.ts';
import type { PlacedMention } from './shapes/message.ts';
import type { Person } from './shapes/person.ts';

/** A token of a message as it is shown. */
export type ShownToken = Token<{ kind: 'mention'; text: string; person: Person }>;

/** Private-use characters: more of them than the longest message has characters outside of ASCII. */
const FIRST = 0xe000;
const LAST = 0xf8ff;

/** The tokens of a text, with its mentions under the names known to this device. */
export function tokensWithMentions(text: string, mentions: readonly PlacedMention[]): ShownToken[] {
  const stand = mentions.length > 0 ? unusedCharacter(text) : null;
  if (stand === null) return tokenize(text);
  let [replaced, end] = ['', 0];
  for (const { from, to } of mentions) {
    replaced += text.slice(end, from) + stand;
    end = to;
  }
  const left = [...mentions];
  const put = (token: Token): ShownToken[] => {
    if ('children' in token) return [{ ...token, children: token.children.flatMap(put) }];
    const parts = token.text.split(stand);
    if (parts.length === 1) return [token];
    const between = parts.slice(1).map(() => left.shift());
    const texts = between.map((one) => (one ? text.slice(one.from, one.to) : ''));
    if (token.kind !== 'text') return [{ ...token, text: woven(parts, texts).join('') }];
    const people = between.map((one): ShownToken | null =>
      one ? { kind: 'mention', text: mentionName(one.person), person: one.person } : null,
    );
    return woven<ShownToken | null>(
      parts.map((part) => (part === '' ? null : { kind: 'text', text: part })),
      people,
    ).filter((each) => each !== null);
  };
  const tokens = tokenize(replaced + text.slice(end));
  // A link shows the address that it opens, so no part of it can be a mention.
  return tokens.some((token) => hasIn(token, stand)) ? tokenize(text) : tokens.flatMap(put);
}

/** A handle already has its sign. */
function mentionName(person: Person): string {
  const name = personName(person);
  return name.startsWith('@') ? name : `@${name}`;
}

function hasIn(token: Token, stand: string): boolean {
  if ('children' in token) return token.children.some((each) => hasIn(each, stand));
  return token.kind === 'link' && token.text.includes(stand);
}

/** Alternating elements of both lists. */
function woven<T>(first: readonly T[], others: readonly T[]): T[] {
  return first.flatMap((each, index) => (index < others.length ? [each, others[index] as T] : [each]));
}

function unusedCharacter(text: string): string | null {
  for (let code = FIRST; code <= LAST; code++) {
    const character = String.fromCharCode(code);
    if (!text.includes(character)) return character;
  }
  return null;
}
