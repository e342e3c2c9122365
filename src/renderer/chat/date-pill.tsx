import { useEffect, useState } from 'react';
import { classNames } from '../design/class-names.ts';
import { dayCaption } from '../shared/time.ts';

/** Display time after the last movement, in milliseconds. */
const SHOWN_FOR = 1200;

interface DatePillProps {
  /** Time of the topmost visible message; null without movement. */
  at: number | null;
  now: number;
  /** A new number for each movement. */
  movement: number;
}

/** The day of the visible messages, shown above them during scrolling. */
export function DatePill({ at, now, movement }: DatePillProps) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (movement === 0) return;
    setIsShown(true);
    const timer = setTimeout(() => setIsShown(false), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [movement]);
  if (at === null) return null;
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-x-0 top-2 z-10 flex justify-center">
      <span
        className={classNames(
          'rounded-full border border-line bg-raised px-3 py-1 font-medium text-ink-soft text-meta shadow-raised transition-opacity duration-200',
          isShown ? 'opacity-100' : 'opacity-0',
        )}
      >
        {dayCaption(at, now)}
      </span>
    </div>
  );
}
