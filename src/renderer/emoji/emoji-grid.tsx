import { type KeyboardEvent, type RefObject, useState } from 'react';
import { t } from '../words.tsx';

/** Emoji in a row. */
const COLUMNS = 8;

export interface ShownEmoji {
  text: string;
  name: string;
}

interface EmojiGridProps {
  label: string;
  emoji: readonly ShownEmoji[];
  onPick: (text: string) => void;
  /** The arrow up in the first row leaves the grid. */
  onLeave: () => void;
  grid: RefObject<HTMLDivElement | null>;
}

/**
 * Emoji in rows: one Tab stop, with arrow keys between them. Keyed by its content, so that it starts at its first
 * one.
 */
export function EmojiGrid({ label, emoji, onPick, onLeave, grid }: EmojiGridProps) {
  const [current, setCurrent] = useState(0);
  const rows = Array.from({ length: Math.ceil(emoji.length / COLUMNS) }, (_, row) =>
    emoji.slice(row * COLUMNS, (row + 1) * COLUMNS),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    const next = {
      ArrowRight: current + forward,
      ArrowLeft: current - forward,
      ArrowDown: Math.min(current + COLUMNS, emoji.length - 1),
      ArrowUp: current - COLUMNS,
      Home: 0,
      End: emoji.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    if (event.key === 'ArrowUp' && next < 0) onLeave();
    else event.currentTarget.querySelectorAll<HTMLElement>('button')[next]?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table of buttons would be read as data
    <div
      aria-label={label}
      className="grid gap-0.5"
      onKeyDown={onKeyDown}
      ref={grid}
      role="grid"
      tabIndex={-1}
    >
      {rows.map((row, rowPlace) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: the buttons take the focus
        <div className="grid grid-cols-8 gap-0.5" key={row[0]?.text} role="row">
          {row.map(({ text, name }, column) => {
            const place = rowPlace * COLUMNS + column;
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              <div key={text} role="gridcell">
                <button
                  aria-label={name}
                  className="grid aspect-square min-h-8 w-full place-items-center rounded-control text-dialog -outline-offset-2 hover:bg-sunken"
                  onClick={() => onPick(text)}
                  onFocus={() => setCurrent(place)}
                  tabIndex={place === Math.min(current, emoji.length - 1) ? 0 : -1}
                  title={name}
                  type="button"
                >
                  {text}
                </button>
              </div>
            );
          })}
        </div>
      ))}
      {emoji.length === 0 && <p className="py-4 text-center text-ink-soft">{t('emoji.none')}</p>}
    </div>
  );
}
