import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react';
import { articleOf } from './actions/action-state.tsx';
import type { TimelineRow } from './grouping.ts';

/** In animation frames. */
const MAX_TRIES = 60;

interface CurrentArticle {
  /** The index of the article in the Tab order: the last focused one, initially the first unread one. */
  current: number;
  /** Focuses an article and scrolls to it. */
  moveTo: (index: number, align?: 'center' | 'nearest') => void;
  onFocus: (event: FocusEvent) => void;
}

export function useCurrentArticle(
  rows: readonly TimelineRow[],
  show: (index: number, align: 'center' | 'nearest') => void,
): CurrentArticle {
  const [currentId, setCurrentId] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const placeOf = (id: string | null) => rows.findIndex(({ message }) => message.id === id);
  const last = placeOf(currentId);
  const unread = rows.findIndex(({ startsUnread }) => startsUnread);
  const fallback = unread === -1 ? rows.length - 1 : unread;
  const current = last === -1 ? fallback : last;

  // The row is rendered only after the list knows that it must stay, and is focused once it is measured.
  useLayoutEffect(() => {
    let frame = 0;
    const focusArticle = (triesLeft: number) => {
      if (wanted.current === null || wanted.current !== currentId) return;
      const article = articleOf(wanted.current);
      article?.focus({ preventScroll: true });
      if (article && document.activeElement === article) wanted.current = null;
      else if (triesLeft > 0) frame = requestAnimationFrame(() => focusArticle(triesLeft - 1));
    };
    focusArticle(MAX_TRIES);
    return () => cancelAnimationFrame(frame);
  }, [currentId]);
  return {
    current,
    moveTo: (index, align = 'nearest') => {
      const id = rows[index]?.message.id;
      if (id === undefined) return;
      show(index, align);
      if (id === currentId) articleOf(id)?.focus({ preventScroll: true });
      else {
        wanted.current = id;
        setCurrentId(id);
      }
    },
    onFocus: ({ target }) => {
      const id = target.closest<HTMLElement>('article[data-message]')?.dataset.message;
      if (id !== undefined) setCurrentId(id);
    },
  };
}
