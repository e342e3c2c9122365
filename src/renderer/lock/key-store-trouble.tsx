import type { LockState } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { LockFrame } from './lock-frame.tsx';

interface KeyStoreTroubleProps {
  lock: LockState;
  onRecover: () => void;
}

type Trouble = Exclude<LockState['because'], 'passphrase' | null>;

const WHAT_HAPPENED: Record<Trouble, string> = {
  'store-changed': 'Their key is kept by the key store of another desktop or app. Open them there',
  'store-missing':
    'Their key is kept by a key store that is not there now. Log in to the desktop that you used before',
  'store-refused': 'The key store of this computer does not hand out their key now. Unlock it',
};

/** The key store does not open the key: nothing is lost, and nothing is made in its place. */
export function KeyStoreTrouble({ lock, onRecover }: KeyStoreTroubleProps) {
  const retry = useCommand('lock.retry');
  const happened =
    WHAT_HAPPENED[lock.because === null || lock.because === 'passphrase' ? 'store-refused' : lock.because];
  const otherwise = lock.canBeRecovered ? ', or use your recovery phrase.' : ', and try again.';
  return (
    <LockFrame
      actions={
        <>
          {lock.canBeRecovered && (
            <Button onClick={onRecover} tone="quiet">
              Use the recovery phrase
            </Button>
          )}
          <Button busy={retry.isPending} tone="primary" type="submit">
            Try again
          </Button>
        </>
      }
      onSubmit={() => retry.mutate({})}
      text={`${happened}${otherwise} Nothing was changed or lost.`}
      title="Your messages cannot be opened yet"
    />
  );
}
