import { useEffect } from 'react';
import { ask } from '../bridge.ts';

/** Retries the connection at once when the computer is back in a network. */
export function useNetworkReturn(): void {
  useEffect(() => {
    const retry = () => {
      ask('connection.retry', {}).catch(() => undefined);
    };
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
}
