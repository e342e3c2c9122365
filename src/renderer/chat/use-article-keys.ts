import type { KeyboardEvent } from 'react';
import type { Message } from '../../bridge/shapes/message.ts';
import { isShortcut, type MessageKey } from '../shared/shortcuts.ts';
import { type ActionState, MAX_SELECTED } from './actions/action-state.tsx';
import { type ActionName, actions } from './actions/action-table.ts';
import type { TimelineRow } from './grouping.ts';

interface ArticleKeysOptions {
  rows: readonly TimelineRow[];
  /** The index of the focused article. */
  current: number;
  state: ActionState;
  /** Moves the focus to another article. */
  onMove: (index: number) => void;
  /** The row one screen above or below another. */
  pageFrom: (index: number, direction: 1 | -1) => number;
}

const keyed: readonly (ActionName & MessageKey)[] = ['reply', 'react', 'edit', 'delete', 'copy'];

/**
 * Keys on an article of the timeline. Inside of it they belong to its controls, except Escape. The buttons of its actions use only
 * Enter and the space bar: Shift+Tab from the message field leads to them first.
 */
export function articleKeys({ rows, current, state, onMove, pageFrom }: ArticleKeysOptions) {
  const { selected, select, toggleSelected, composer, open } = state;
  const last = rows.length - 1;
  const placeFor = (key: string): number | null => {
    if (key === 'ArrowUp') return Math.max(0, current - 1);
    if (key === 'ArrowDown') return Math.min(last, current + 1);
    if (key === 'Home') return 0;
    if (key === 'End') return last;
    if (key === 'PageUp') return pageFrom(current, -1);
    if (key === 'PageDown') return pageFrom(current, 1);
    return null;
  };
  const selectBetween = (to: number) => {
    const between = rows.slice(Math.min(current, to), Math.max(current, to) + 1);
    const ids = between.filter(({ message }) => message.event === null).map(({ message }) => message.id);
    select(new Set([...(selected ?? []), ...ids].slice(0, MAX_SELECTED)));
  };
  const act = (name: ActionName, message: Message, anchor: Element): boolean => {
    if (!actions[name].isOffered(message, state)) return false;
    actions[name].run(message, state, anchor);
    return true;
  };

  const onKey = (event: KeyboardEvent, anchor: Element, message: Message): boolean => {
    const { key, shiftKey, nativeEvent } = event;
    const is = (name: MessageKey) => isShortcut(name, nativeEvent);
    // The browser copies selected text.
    if (is('copy') && getSelection()?.isCollapsed === false) return false;
    if (event.ctrlKey || event.metaKey) return is('copy') && act('copy', message, anchor);
    if (event.altKey) return false;
    const place = placeFor(key);
    if (place !== null) {
      if (shiftKey && key.startsWith('Arrow')) selectBetween(place);
      onMove(place);
      return true;
    }
    if (message.event) return false;
    if (is('select')) {
      toggleSelected(message.id);
      return true;
    }
    if (is('messageMenu') || key === 'ContextMenu' || (key === 'F10' && shiftKey)) {
      open({ kind: 'menu', message, anchor });
      return true;
    }
    // The Mac key in that place.
    const name = key === 'Backspace' ? 'delete' : keyed.find(is);
    return name !== undefined && act(name, message, anchor);
  };

  return (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const article = target.closest<HTMLElement>('article[data-message]');
    const message = rows[current]?.message;
    if (!article || !message || event.defaultPrevented) return;
    if (isShortcut('leaveMessage', event.nativeEvent)) {
      event.preventDefault();
      if (selected) select(null);
      // Its check box goes with the selection.
      if (target !== article) article.focus();
      else if (!selected) composer.current?.focus();
      return;
    }
    const anchor = article.querySelector('[data-bubble]') ?? article;
    const isOnBar =
      target.closest('[data-action-bar]') !== null && event.key !== 'Enter' && event.key !== ' ';
    if ((target === article || isOnBar) && onKey(event, anchor, message)) event.preventDefault();
  };
}
