import { useEffect } from 'react';
import { MARK_IN_WORD } from '../../../base/markdown/words.ts';
import { placesOf } from '../../../base/search-text.ts';

/** The name of the marks in the style sheet. */
const NAME = 'found-words';
/** Marks in one message. */
const MOST = 100;

/**
 * Marks the words of a search in the messages of the open chat. The browser draws the marks: the elements stay as they are.
 * @param terms in the form of `toSearchText`
 */
export function useMarkedWords(terms: readonly string[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list with the same words changes nothing
  useEffect(() => {
    // The messages of a chat are redrawn when it shows another part of them.
    const window = document.querySelector('main');
    if (terms.length === 0 || !window) return;
    const marks = new Highlight();
    CSS.highlights.set(NAME, marks);
    let frame = 0;
    const mark = () => {
      marks.clear();
      for (const words of window.querySelectorAll('[role=feed] [data-words]')) {
        for (const range of rangesIn(words, terms)) marks.add(range);
      }
    };
    // Rows come and go during scrolling.
    const watch = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    watch.observe(window, { childList: true, subtree: true, characterData: true });
    mark();
    return () => {
      watch.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [terms.join('\n')]);
}

/** Elements that begin another line. */
const BLOCKS = 'blockquote, li, div, code > span';

/** A part of a text node, and its place in the text that all parts of a message form together. */
interface Piece {
  node: Node;
  /** Place of its first character in the node. */
  start: number;
  at: number;
  length: number;
}

/** @param isBare without marks inside of words, which are found without them, too */
function textIn(element: Element, isBare: boolean): { text: string; pieces: Piece[] } {
  const pieces: Piece[] = [];
  let text = '';
  let last: Element | null | undefined;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { nodeValue, parentElement } = node;
    if (!nodeValue || parentElement?.closest('[data-meta]')) continue;
    const block = parentElement?.closest(BLOCKS);
    if (last !== undefined && block !== last && !text.endsWith('\n')) text += '\n';
    last = block;
    const isCode = parentElement?.closest('code');
    for (const [start, end] of isBare && !isCode
      ? partsBetweenMarks(nodeValue)
      : [[0, nodeValue.length] as const]) {
      pieces.push({ node, start, at: text.length, length: end - start });
      text += nodeValue.slice(start, end);
    }
  }
  return { text, pieces };
}

function partsBetweenMarks(text: string): [number, number][] {
  const parts: [number, number][] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(MARK_IN_WORD)) {
    parts.push([start, index]);
    start = index + mark.length;
  }
  return [...parts, [start, text.length]];
}

/** A match may begin in one element and end in another: formatting inside of words. It has a range in each text node. */
function* rangesIn(element: Element, terms: readonly string[]): Generator<Range> {
  const whole = textIn(element, false);
  yield* rangesOf(whole, terms);
  const bare = textIn(element, true);
  if (bare.text !== whole.text) yield* rangesOf(bare, terms);
}

function* rangesOf(
  { text, pieces }: { text: string; pieces: readonly Piece[] },
  terms: readonly string[],
): Generator<Range> {
  let first = 0;
  for (const { from, to } of placesOf(text, terms, MOST)) {
    for (let index = first; index < pieces.length; index++) {
      const { node, start, at, length } = pieces[index] as Piece;
      if (at >= to) break;
      first = index;
      if (at + length <= from) continue;
      const range = new Range();
      range.setStart(node, start + Math.max(0, from - at));
      range.setEnd(node, start + Math.min(length, to - at));
      yield range;
    }
  }
}
