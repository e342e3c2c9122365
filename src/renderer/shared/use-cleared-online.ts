import { useEffect, useEffectEvent } from 'react';
import { useBridgeQuery } from '../bridge.ts';

interface Command {
  isError: boolean;
  reset: () => void;
}

/** Clears the failure of a command when the connection to the server returns: its reason may be over. */
export function useClearedOnline({ isError, reset }: Command): void {
  const { data: connection } = useBridgeQuery('connection.get', {});
  const isOnline = connection?.state === 'online';
  const clear = useEffectEvent(() => {
    if (isError) reset();
  });
  useEffect(() => {
    if (isOnline) clear();
  }, [isOnline]);
}
