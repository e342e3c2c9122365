import type { KeyboardEvent } from 'react';
import { classNames } from '../../design/class-names.ts';
import { t } from '../../words.tsx';
import type { SettingEntry } from '../entries.ts';

interface Line {
  key: string;
  title: string;
  detail?: string;
  isCurrent: boolean;
  onOpen: () => void;
}

/** Moves the focus among the buttons of a list. */
export function onListKeys(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const current = buttons.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: buttons.length - 1 }[event.key];
  const button = next === undefined ? undefined : buttons[next];
  if (!button) return;
  event.preventDefault();
  button.focus();
}

/** The left pane: sections, or search results. */
export function LineList({ label, lines }: { label: string; lines: readonly Line[] }) {
  return (
    <ul aria-label={label} className="flex flex-col gap-0.5" onKeyDown={onListKeys}>
      {lines.map(({ key, title, detail, isCurrent, onOpen }) => (
        <li key={key}>
          <button
            aria-current={isCurrent ? 'page' : undefined}
            className={classNames(
              'relative flex min-h-9 w-full flex-col justify-center rounded-control px-3 py-1.5 text-start -outline-offset-2',
              isCurrent
                ? 'bg-selection font-semibold forced-colors:outline-2 forced-colors:outline-[Highlight]'
                : 'hover:bg-sunken',
            )}
            onClick={onOpen}
            type="button"
          >
            {isCurrent && (
              <span
                aria-hidden="true"
                className="absolute inset-y-2 inset-s-0 w-[3px] rounded-full bg-accent forced-colors:bg-[Highlight]"
              />
            )}
            <span className="[overflow-wrap:anywhere]">{title}</span>
            {detail !== undefined && <span className="text-ink-soft text-meta">{detail}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface FoundProps {
  found: readonly SettingEntry[];
  text: string;
  sectionOf: (entry: SettingEntry) => string;
  onOpen: (entry: SettingEntry) => void;
}

/** Search results, with their number announced. */
export function FoundSettings({ found, text, sectionOf, onOpen }: FoundProps) {
  return (
    <>
      <p
        className={classNames('px-3 text-secondary [overflow-wrap:anywhere]', found.length > 0 && 'sr-only')}
        role="status"
      >
        {found.length > 0
          ? t('settings.searchCount', { count: found.length })
          : t('settings.searchNothing', { text: text.trim() })}
      </p>
      {found.length > 0 && (
        <LineList
          label={t('settings.searchFound')}
          lines={found.map((entry) => ({
            key: entry.name,
            title: entry.title,
            detail: sectionOf(entry),
            isCurrent: false,
            onOpen: () => onOpen(entry),
          }))}
        />
      )}
    </>
  );
}
