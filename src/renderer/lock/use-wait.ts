import { useEffect, useState } from 'react';
import type { LockState } from '../../bridge/shapes/lock-state.ts';

/** Whole seconds until the next attempt is allowed, counted down. */
export function useWait(lock: LockState): number {
  const [until, setUntil] = useState(() => Date.now() + lock.wait);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setUntil(Date.now() + lock.wait);
    setNow(Date.now());
  }, [lock]);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return seconds;
}
