import { useEffect } from 'react';
import { useLockNow } from '../lock/lock-now.tsx';
import { useNavigation } from '../shared/navigation.tsx';

/** Opens the passphrase setting after locking without a passphrase. */
export function useWayToPassphrase(): void {
  const { needsPassphrase, settle } = useLockNow();
  const { openSetting } = useNavigation();
  useEffect(() => {
    if (!needsPassphrase) return;
    openSetting('appLock');
    settle();
  }, [needsPassphrase, openSetting, settle]);
}
