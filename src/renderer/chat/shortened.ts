/**
 * The beginning of a long message. Messages of others can be as long as the relay allows, in lines too, and each mark
 * is an element of the page.
 */
import type { ShownToken } from '../../bridge/mention-tokens.ts';

/** The limits of a collapsed message. */
const MOST = { characters: 3000, lines: 40, tokens: 300 };
/** The greatest distance from the cut to the start of a character, in code units: more than a family of emoji has. */
const LONGEST_CHARACTER = 64;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

type Room = typeof MOST;

/**
 * The tokens of a collapsed message.
 * @returns null if it is complete
 */
export function shortened(tokens: readonly ShownToken[]): ShownToken[] | null {
  const room = { ...MOST };
  const shown = cut(tokens, room);
  return isFull(room) ? shown : null;
}

function isFull({ characters, lines, tokens }: Room): boolean {
  return characters < 0 || lines < 0 || tokens < 0;
}

/** As many as fit, deducted from `room`: below zero means that something was left out. */
function cut(tokens: readonly ShownToken[], room: Room): ShownToken[] {
  const shown: ShownToken[] = [];
  for (const token of tokens) {
    room.tokens -= 1;
    if (token.kind === 'item') room.lines -= 1;
    if (room.tokens < 0) break;
    const part =
      'children' in token ? { ...token, children: cut(token.children, room) } : cutOne(token, room);
    if (part) shown.push(part);
    if (isFull(room)) break;
  }
  return shown;
}

type Leaf = Exclude<ShownToken, { children: ShownToken[] }>;

function cutOne(token: Leaf, room: Room): Leaf | null {
  const fitting = lengthThatFits(token.text, room);
  room.characters -= token.text.length;
  room.lines -= linesIn(token.text);
  if (fitting === token.text.length) return token;
  // Half a link would show another address than it opens, and half a mention another person.
  if (token.kind === 'link' || token.kind === 'mention' || fitting === 0) return null;
  return { ...token, text: token.text.slice(0, fitting) };
}

function lengthThatFits(text: string, room: Room): number {
  let end = Math.min(text.length, Math.max(0, room.characters));
  let lines = room.lines;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) {
    lines -= 1;
    if (lines < 0) return at;
  }
  if (end > 0 && end < text.length) end = characterStart(text, end);
  return end;
}

/** Start of the character around `position`; `position` itself if it is at a boundary. */
function characterStart(text: string, position: number): number {
  const from = Math.max(0, position - LONGEST_CHARACTER);
  const around = characters.segment(text.slice(from, position + LONGEST_CHARACTER));
  const start = around.containing(position - from)?.index ?? 0;
  if (start > 0) return from + start;
  return text.codePointAt(position - 1) === text.charCodeAt(position - 1) ? position : position - 1;
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
