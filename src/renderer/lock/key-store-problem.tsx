import type { LockState } from '../../bridge/shapes/lock-state.ts';
import type { Key } from '../../words/format.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { failureText, t } from '../words.tsx';
import { LockFrame } from './lock-frame.tsx';

interface KeyStoreProblemProps {
  lock: LockState;
  onRecover: () => void;
}

type Problem = Exclude<LockState['because'], 'passphrase' | null> | 'other-host-is-browser';

/** The problem and its remedy, without and with a recovery phrase. */
const explanations = {
  'store-changed': ['lock.keychainChanged', 'lock.keychainChangedRecover'],
  'store-missing': ['lock.keychainMissing', 'lock.keychainMissingRecover'],
  'store-refused': ['lock.keychainRefused', 'lock.keychainRefusedRecover'],
  'other-host': ['lock.keychainOtherApp', 'lock.keychainOtherAppRecover'],
  'other-host-is-browser': ['lock.keychainOtherBrowser', 'lock.keychainOtherBrowserRecover'],
} as const satisfies Record<Problem, readonly [Key, Key]>;

/** The key store does not open the key: nothing is lost, and no new key is created. */
export function KeyStoreProblem({ lock, onRecover }: KeyStoreProblemProps) {
  const { data: host } = useBridgeQuery('host.info', {});
  const retry = useCommand('lock.retry');
  const restart = useCommand('host.restart');
  if (!host) return null;
  const isDesktop = host.kind === 'electron';
  return (
    <LockFrame
      actions={
        <>
          {lock.canBeRecovered && (
            <Button onClick={onRecover} tone="quiet">
              {t('lock.keychainRecover')}
            </Button>
          )}
          <Button busy={retry.isPending || restart.isPending} tone="primary" type="submit">
            {isDesktop ? t('lock.restart') : t('common.tryAgain')}
          </Button>
        </>
      }
      // Electron asks the key store once, and keeps the answer until it ends.
      onSubmit={() => (isDesktop ? restart : retry).mutate({})}
      text={
        lock.failure
          ? failureText(lock.failure)
          : t(explanations[problemOf(lock, isDesktop)][lock.canBeRecovered ? 1 : 0])
      }
      title={lock.failure ? t('app.cannotStart') : t('lock.keychain')}
    />
  );
}

function problemOf({ because }: LockState, isDesktop: boolean): Problem {
  if (because === null || because === 'passphrase') return 'store-refused';
  return because === 'other-host' && isDesktop ? 'other-host-is-browser' : because;
}
