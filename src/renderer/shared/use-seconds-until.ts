import { useState } from 'react';
import { secondsUntil } from './time.ts';
import { useNow } from './use-now.ts';

/**
 * Whole seconds until a time in milliseconds, never negative, updated each second. The countdown to a new time starts at the
 * current time: that of {@link useNow} is up to a second old, and the countdown would begin with a second too many.
 */
export function useSecondsUntil(time: number): number {
  const now = useNow(1000);
  const [start, setStart] = useState(() => ({ time, now }));
  if (start.time !== time) setStart({ time, now: Date.now() });
  return secondsUntil(time, Math.max(now, start.now));
}
