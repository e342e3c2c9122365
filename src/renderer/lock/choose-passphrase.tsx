import { useState } from 'react';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { t } from '../words.tsx';
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
          {t('common.continue')}
        </Button>
      }
      onSubmit={() => strength.isEnough && choose.mutate({ passphrase })}
      text={t('lock.chooseText')}
      title={t('lock.choose')}
    >
      <PassphraseField
        autoFocus
        kind="new"
        label={t('lock.passphrase')}
        note={choose.error?.message ?? strength.note}
        noteTone={choose.error ? 'problem' : strength.tone}
        onChange={setPassphrase}
        value={passphrase}
      />
    </LockFrame>
  );
}
