import { useEffect } from 'react';
import { useLockNow } from '../lock/lock-now.tsx';
import { useNavigation } from '../shared/navigation.tsx';

/** Shows where to set a passphrase, after the person wanted to lock and none was set. */
export function useWayToPassphrase(): void {
  const { needsPassphrase, settle } = useLockNow();
  const { openSetting } = useNavigation();
  useEffect(() => {
    if (!needsPassphrase) return;
    openSetting('appLock');
    settle();
  }, [needsPassphrase, openSetting, settle]);
}
