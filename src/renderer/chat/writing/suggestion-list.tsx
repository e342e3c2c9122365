import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../design/class-names.ts';
import type { Suggestion } from './use-suggestions.tsx';

/** Distance of the list from its surroundings, and its greatest height, in pixels. */
const GAP = 8;
const TALLEST = 400;

interface SuggestionListProps {
  id: string;
  label: string;
  suggestions: readonly Suggestion[];
  /** Index of the one chosen by Enter. */
  active: number;
  onActivate: (index: number) => void;
  onChoose: (index: number) => void;
}

/** The id of a list's option, for `aria-activedescendant`. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** Suggestions above the field, which stays focused. As tall as the window permits. */
export function SuggestionList(props: SuggestionListProps) {
  const { id, label, suggestions, active, onActivate, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(TALLEST);
  useLayoutEffect(() => {
    const measure = () => {
      const top = list.current?.parentElement?.getBoundingClientRect().top ?? 0;
      setRoom(Math.min(TALLEST, top - 2 * GAP));
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  useEffect(() => {
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div
      aria-label={label}
      className="appear absolute start-0 bottom-full z-40 mb-2 w-full max-w-96 overflow-y-auto overscroll-contain rounded-menu border border-line bg-surface p-1 shadow-menu"
      id={id}
      ref={list}
      role="listbox"
      style={{ maxHeight: room }}
    >
      {suggestions.map(({ key, shown }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        <div
          aria-selected={index === active}
          className={classNames(
            'flex cursor-default items-center gap-3 rounded-control px-2 py-1.5',
            index === active &&
              'bg-selection forced-colors:outline-2 forced-colors:outline-[Highlight] forced-colors:-outline-offset-2',
          )}
          id={optionId(id, index)}
          key={key}
          onClick={() => onChoose(index)}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => onActivate(index)}
          role="option"
        >
          {shown}
        </div>
      ))}
    </div>
  );
}
