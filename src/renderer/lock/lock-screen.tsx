import { useState } from 'react';
import type { LockState } from '../../bridge/shapes/lock-state.ts';
import { useAppearance } from '../shared/use-appearance.ts';
import { ChoosePassphrase } from './choose-passphrase.tsx';
import { KeyStoreProblem } from './key-store-problem.tsx';
import { Recover } from './recover.tsx';
import { Unlock } from './unlock.tsx';
import { useWait } from './use-wait.ts';

/** The page for the lock's current phase. */
export function LockScreen({ lock }: { lock: LockState }) {
  useAppearance();
  const [isRecovering, setIsRecovering] = useState(false);
  // Counted here, so that it continues while the person views another page.
  const seconds = useWait(lock);
  if (lock.phase === 'choose-passphrase') return <ChoosePassphrase />;
  if (isRecovering) return <Recover lock={lock} onBack={() => setIsRecovering(false)} />;
  if (lock.because === 'passphrase') {
    return <Unlock lock={lock} onRecover={() => setIsRecovering(true)} seconds={seconds} />;
  }
  return <KeyStoreProblem lock={lock} onRecover={() => setIsRecovering(true)} />;
}
