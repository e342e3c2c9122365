import { useState } from 'react';
import type { LockState } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { LockFrame } from './lock-frame.tsx';
import { PassphraseField } from './passphrase-field.tsx';

interface UnlockProps {
  lock: LockState;
  /** Until the next attempt is taken. */
  seconds: number;
  onRecover: () => void;
}

/** Asks for the passphrase. */
export function Unlock({ lock, seconds, onRecover }: UnlockProps) {
  const [passphrase, setPassphrase] = useState('');
  const unlock = useCommand('lock.unlock', {
    tellsFailure: true,
    // What was typed meanwhile stays.
    onError: (_error, tried) => setPassphrase((now) => (now === tried.passphrase ? '' : now)),
  });
  const mayTry = seconds === 0 && passphrase !== '';
  return (
    <LockFrame
      actions={
        <>
          {lock.canBeRecovered && (
            <Button onClick={onRecover} tone="quiet">
              Forgot your passphrase?
            </Button>
          )}
          <Button busy={unlock.isPending} disabled={!mayTry} tone="primary" type="submit">
            Unlock
          </Button>
        </>
      }
      onSubmit={() => mayTry && !unlock.isPending && unlock.mutate({ passphrase })}
      text={
        lock.messagesWaiting
          ? 'New messages are waiting. Your passphrase opens them.'
          : 'Your messages are closed until you enter your passphrase.'
      }
      title="Waxwing is locked"
    >
      <PassphraseField
        autoFocus
        kind="current"
        label="Passphrase"
        note={noteFor(lock, seconds)}
        noteTone={lock.failedAttempts > 0 ? 'problem' : 'hint'}
        onChange={setPassphrase}
        value={passphrase}
      />
    </LockFrame>
  );
}

function noteFor({ failedAttempts }: LockState, seconds: number): string {
  if (failedAttempts === 0) return '';
  const wrong = failedAttempts === 1 ? 'That was not it.' : `That was not it, ${failedAttempts} times now.`;
  return seconds === 0 ? `${wrong} Try again.` : `${wrong} Try again in ${inWords(seconds)}.`;
}

function inWords(seconds: number): string {
  if (seconds === 1) return 'one second';
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
