import { useEffect } from 'react';
import { callBridge } from '../bridge.ts';

/** The interval of reports to the host, in milliseconds: a small part of the shortest automatic lock. */
const TELL_EVERY = 10_000;

/** Reports activity to the host, so that it does not lock. */
export function useActivity(): void {
  useEffect(() => {
    let reportedAt = 0;
    const report = () => {
      if (Date.now() - reportedAt < TELL_EVERY) return;
      reportedAt = Date.now();
      // Fails while locked, without consequences.
      callBridge('lock.active', {}).catch(() => undefined);
    };
    const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;
    for (const sign of signs) window.addEventListener(sign, report, { passive: true });
    return () => {
      for (const sign of signs) window.removeEventListener(sign, report);
    };
  }, []);
}
