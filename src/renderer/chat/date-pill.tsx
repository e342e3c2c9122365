import { useEffect, useState } from 'react';
import { classNames } from '../design/class-names.ts';
import { dayCaption } from '../shared/time.ts';

/** How long it stays after the last movement, in milliseconds. */
const SHOWN_FOR = 1200;

interface DatePillProps {
  /** Of the topmost message on screen; null while nothing moved. */
  at: number | null;
  now: number;
  /** Changes with each movement. */
  movement: number;
}

/** The day of what is on screen, above it while the person scrolls. */
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
