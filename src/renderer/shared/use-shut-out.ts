import { useEffect, useEffectEvent } from 'react';
import type { FailureData } from '../../base/failure.ts';
import type { Connection } from '../../bridge/shapes/account.ts';
import { useBridgeQuery } from '../bridge.ts';

/** The reason for which the server no longer accepts this computer, such as its removal; null while it does. */
export function shutOutBy({ problem }: Pick<Connection, 'problem'>): FailureData | null {
  return problem?.code === 'device_removed' || problem?.code === 'device_refused' ? problem : null;
}

/** The same, now. It stays during attempts to connect. */
export function useShutOut(): FailureData | null {
  const { data: connection } = useBridgeQuery('connection.get', {});
  return connection ? shutOutBy(connection) : null;
}

/**
 * Reports whether the server accepts actions of this computer: the rule for each control that needs the server or other people.
 * A removed computer still reads, searches, exports and makes backups.
 */
export function useMayAct(): boolean {
  return useShutOut() === null;
}

/** Closes a dialog that needs the server when the server no longer accepts this computer. It stays closed afterwards. */
export function useClosingWhenShutOut(close: () => void): void {
  const mayAct = useMayAct();
  const onShutOut = useEffectEvent(close);
  useEffect(() => {
    if (!mayAct) onShutOut();
  }, [mayAct]);
}
