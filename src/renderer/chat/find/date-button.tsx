import { CalendarDays } from 'lucide-react';
import { useRef } from 'react';
import { useCommand } from '../../bridge.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { useNow } from '../../shared/use-now.ts';
import { t } from '../../words.tsx';
import { useActions } from '../actions/action-state.tsx';

/** Opens the calendar of the browser, and goes to the first message of the chosen day. */
export function DateButton() {
  const { control, conversation } = useActions();
  const input = useRef<HTMLInputElement>(null);
  const now = useNow(60_000);
  const go = useCommand('messages.from', {
    onSuccess: ({ id }) => id !== null && control.jumpTo(id),
  });
  const open = () => {
    if (!input.current) return;
    // The day of before can be chosen again: a field reports only another value.
    input.current.value = '';
    input.current.showPicker();
  };
  return (
    <span className="relative">
      <IconButton icon={CalendarDays} label={t('search.goToDate')} onClick={open} />
      {/* The calendar opens below it. */}
      <input
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 opacity-0"
        max={toDay(new Date(now))}
        onChange={({ target }) => {
          const at = startOfDay(target.value);
          if (at !== null) go.mutate({ conversationId: conversation.id, at });
        }}
        ref={input}
        tabIndex={-1}
        type="date"
      />
    </span>
  );
}

/** A day in the form of a date field, in the time zone of the person. */
function toDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The last time that a date can have, in milliseconds since 1970. */
const LAST_TIME = 8_640_000_000_000_000;

/**
 * Beginning of a day in the time zone of the person.
 * @param day of a date field, empty without a date
 * @returns milliseconds since 1970, 0 for a day before; null for no day
 */
function startOfDay(day: string): number | null {
  if (day === '') return null;
  const at = new Date(`${day}T00:00`).getTime();
  // A date field has a few years for which there is no time.
  return Number.isNaN(at) ? LAST_TIME : Math.max(0, at);
}
