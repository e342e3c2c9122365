import { useState } from 'react';
import type { LockState } from '../../bridge/shapes/lock-state.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { SecretField } from '../design/secret-field.tsx';
import { t } from '../words.tsx';
import { LockFrame } from './lock-frame.tsx';
import { NewPassphraseFields, useNewPassphrase } from './new-passphrase.tsx';

interface RecoverProps {
  lock: LockState;
  onBack: () => void;
}

/** Unlocks with the recovery phrase: the protection of the key is then replaced. */
export function Recover({ lock, onBack }: RecoverProps) {
  const [secret, setSecret] = useState('');
  const { value: passphrase, isReady, fields } = useNewPassphrase();
  const recover = useCommand('lock.recover', { showsFailure: true });
  // People who had a passphrase choose a new one; so do those without another protection.
  const needsPassphrase = lock.because === 'passphrase' || lock.needsPassphrase;
  const mayTry = secret.trim() !== '' && (!needsPassphrase || isReady);
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
      {needsPassphrase && <NewPassphraseFields label={t('lock.newPassphrase')} {...fields} />}
    </LockFrame>
  );
}
