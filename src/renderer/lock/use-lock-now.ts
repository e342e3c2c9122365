import { useNavigation } from '../app/navigation.tsx';
import { useAsk, useCommand } from '../bridge.ts';
import { saveDrafts } from '../conversation/use-draft.ts';

/** Locks; or, where no passphrase is set to unlock with, shows where to set one. */
export function useLockNow(): () => void {
  const { openDialog } = useNavigation();
  const { data: host } = useAsk('host.info', {});
  const { mutate: lock } = useCommand('lock.now');
  return () => {
    if (host?.keyProtection.kind === 'passphrase') void saveDrafts().then(() => lock({}));
    else openDialog('settings');
  };
}
