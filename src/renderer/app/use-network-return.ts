import { useEffect } from 'react';
import { callBridge } from '../bridge.ts';

/** Retries the connection at once when the computer is back in a network. */
export function useNetworkReturn(): void {
  useEffect(() => {
    const retry = () => {
      callBridge('connection.retry', {}).catch(() => undefined);
    };
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);
}
