import { useEffect, useState } from 'react';

/**
 * The current time in milliseconds, updated at each whole multiple of `interval` milliseconds, and so at midnight if
 * it divides a day.
 */
export function useNow(interval: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const untilNext = () => interval - (Date.now() % interval);
    const renew = () => {
      setNow(Date.now());
      timer = setTimeout(renew, untilNext());
    };
    let timer = setTimeout(renew, untilNext());
    return () => clearTimeout(timer);
  }, [interval]);
  return now;
}
