import { useEffect } from 'react';
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

/** Text nodes are searched one by one: a word with formatting inside is not marked. */
function* rangesIn(element: Element, terms: readonly string[]): Generator<Range> {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node.parentElement?.closest('[data-meta]')) continue;
    for (const { from, to } of placesOf(node.nodeValue ?? '', terms, MOST)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      yield range;
    }
  }
}
