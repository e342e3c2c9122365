import { useState } from 'react';
import type { LockState } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { SecretField } from '../design/secret-field.tsx';
import { t } from '../words.tsx';
import { LockFrame } from './lock-frame.tsx';
import { PassphraseField } from './passphrase-field.tsx';
import { passphraseStrength } from './passphrase-strength.ts';

interface RecoverProps {
  lock: LockState;
  onBack: () => void;
}

/** The way in with the recovery phrase: what protects the key is then replaced. */
export function Recover({ lock, onBack }: RecoverProps) {
  const [secret, setSecret] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const recover = useCommand('lock.recover', { tellsFailure: true });
  // Who had a passphrase chooses another; so does who has nothing else to protect the key with.
  const needsPassphrase = lock.because === 'passphrase' || lock.needsPassphrase;
  const strength = passphraseStrength(passphrase);
  const mayTry = secret.trim() !== '' && (!needsPassphrase || strength.isEnough);
  return (
    <LockFrame
      actions={
        <Button busy={recover.isPending} disabled={!mayTry} tone="primary" type="submit">
          {t('lock.recoverAction')}
        </Button>
      }
      onBack={onBack}
      onSubmit={() =>
        mayTry &&
        !recover.isPending &&
        recover.mutate({ secret, passphrase: needsPassphrase ? passphrase : null })
      }
      text={t('lock.recoverText')}
      title={t('lock.recover')}
    >
      <SecretField
        autoFocus
        label={t('lock.recoverField')}
        note={recover.error?.message ?? null}
        noteTone={recover.error ? 'problem' : 'hint'}
        onChange={setSecret}
        value={secret}
      />
      {needsPassphrase && (
        <PassphraseField
          kind="new"
          label={t('lock.newPassphrase')}
          note={strength.note}
          noteTone={strength.tone}
          onChange={setPassphrase}
          value={passphrase}
        />
      )}
    </LockFrame>
  );
}
