import { useState } from 'react';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { LockFrame } from './lock-frame.tsx';
import { PassphraseField } from './passphrase-field.tsx';
import { passphraseStrength } from './passphrase-strength.ts';

/** The first page of all where nothing but a passphrase can protect what is stored here. */
export function ChoosePassphrase() {
  const [passphrase, setPassphrase] = useState('');
  const choose = useCommand('lock.choose', { tellsFailure: true });
  const strength = passphraseStrength(passphrase);
  return (
    <LockFrame
      actions={
        <Button busy={choose.isPending} disabled={!strength.isEnough} tone="primary" type="submit">
          Continue
        </Button>
      }
      onSubmit={() => strength.isEnough && choose.mutate({ passphrase })}
      text="It opens what Waxwing stores on this computer, at each start. Four words that have nothing to do with each other are good and easy to keep. Nobody can tell it to you again, so write it down if you must."
      title="Choose a passphrase"
    >
      <PassphraseField
        autoFocus
        kind="new"
        label="Passphrase"
        note={choose.error?.message ?? strength.note}
        noteTone={choose.error ? 'problem' : strength.tone}
        onChange={setPassphrase}
        value={passphrase}
      />
    </LockFrame>
  );
}
