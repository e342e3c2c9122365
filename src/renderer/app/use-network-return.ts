import { useEffect } from 'react';
import { ask } from '../bridge.ts';

/** Asks the relay at once when the computer is in a network again. */
export function useNetworkReturn(): void {
  useEffect(() => {
    const retry = () => {
      ask('connection.retry', {}).catch(() => undefined);
    };
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
}
