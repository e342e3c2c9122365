import type { LockState } from '../../bridge/shapes.ts';
import type { Key } from '../../words/format.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { t } from '../words.tsx';
import { LockFrame } from './lock-frame.tsx';

interface KeyStoreTroubleProps {
  lock: LockState;
  onRecover: () => void;
}

type Trouble = Exclude<LockState['because'], 'passphrase' | null>;

/** What happened and what to do, without a recovery phrase to use and with one. */
const explanations = {
  'store-changed': ['lock.keychainChanged', 'lock.keychainChangedRecover'],
  'store-missing': ['lock.keychainMissing', 'lock.keychainMissingRecover'],
  'store-refused': ['lock.keychainRefused', 'lock.keychainRefusedRecover'],
} as const satisfies Record<Trouble, readonly [Key, Key]>;

/** The key store does not open the key: nothing is lost, and nothing is made in its place. */
export function KeyStoreTrouble({ lock, onRecover }: KeyStoreTroubleProps) {
  const retry = useCommand('lock.retry');
  const trouble = lock.because === null || lock.because === 'passphrase' ? 'store-refused' : lock.because;
  return (
    <LockFrame
      actions={
        <>
          {lock.canBeRecovered && (
            <Button onClick={onRecover} tone="quiet">
              {t('lock.keychainRecover')}
            </Button>
          )}
          <Button busy={retry.isPending} tone="primary" type="submit">
            {t('common.tryAgain')}
          </Button>
        </>
      }
      onSubmit={() => retry.mutate({})}
      text={t(explanations[trouble][lock.canBeRecovered ? 1 : 0])}
      title={t('lock.keychain')}
    />
  );
}
