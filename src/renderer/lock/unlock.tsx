import { useState } from 'react';
import type { LockState } from '../../bridge/shapes/lock-state.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { failureText, t } from '../words.tsx';
import { LockFrame } from './lock-frame.tsx';
import { PassphraseField } from './passphrase-field.tsx';

interface UnlockProps {
  lock: LockState;
  /** Until the next attempt is allowed. */
  seconds: number;
  onRecover: () => void;
}

/** Asks for the passphrase. */
export function Unlock({ lock, seconds, onRecover }: UnlockProps) {
  const [passphrase, setPassphrase] = useState('');
  const unlock = useCommand('lock.unlock', {
    showsFailure: true,
    // Text typed meanwhile stays.
    onError: (_error, tried) => setPassphrase((now) => (now === tried.passphrase ? '' : now)),
  });
  const mayTry = seconds === 0 && passphrase !== '';
  return (
    <LockFrame
      actions={
        <>
          {lock.canBeRecovered && (
            <Button onClick={onRecover} tone="quiet">
              {t('lock.forgot')}
            </Button>
          )}
          <Button busy={unlock.isPending} disabled={!mayTry} tone="primary" type="submit">
            {t('lock.unlock')}
          </Button>
        </>
      }
      onSubmit={() => mayTry && !unlock.isPending && unlock.mutate({ passphrase })}
      // Its text changes when messages arrive.
      text={<span role="status">{lock.messagesWaiting ? t('lock.lockedNew') : t('lock.lockedText')}</span>}
      title={t('lock.locked')}
    >
      <PassphraseField
        autoFocus
        kind="current"
        label={t('lock.passphrase')}
        note={noteFor(lock, seconds)}
        noteTone={lock.failedAttempts > 0 || lock.failure ? 'problem' : 'hint'}
        onChange={setPassphrase}
        value={passphrase}
      />
    </LockFrame>
  );
}

function noteFor({ failedAttempts, failure }: LockState, seconds: number): string {
  if (failure) return failureText(failure);
  if (failedAttempts === 0) return '';
  if (seconds === 0) return t('lock.wrong');
  if (seconds < 90) return t('lock.wrongSeconds', { seconds });
  return t('lock.wrongMinutes', { minutes: Math.ceil(seconds / 60) });
}
