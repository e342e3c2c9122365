import { useState } from 'react';
import type { Me } from '../../../bridge/shapes/account.ts';
import { callBridge, useBridgeQuery } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { ButtonRow } from '../../design/button-row.tsx';
import { SecretField } from '../../design/secret-field.tsx';
import { t } from '../../words.tsx';
import { GuardedForm } from './guarded-form.tsx';
import { RecoveryReveal } from './recovery-reveal.tsx';

/** The recovery phrase, if stored here: shown again, or removed from this computer. */
export function RecoveryPhrase({ me }: { me: Me }) {
  return (
    <>
      <h4 className="font-semibold text-secondary">{t('settings.phrase')}</h4>
      {me.keepsPhrase ? (
        <>
          <RecoveryReveal />
          <ForgetPhrase />
        </>
      ) : (
        <p className="text-ink-soft">{t('settings.phraseElsewhere')}</p>
      )}
    </>
  );
}

/** Two steps: the consequences, then the phrase itself, so that people write it down before they remove it. */
function ForgetPhrase() {
  const { data: host } = useBridgeQuery('host.info', {});
  const [step, setStep] = useState<'closed' | 'explained' | 'asked'>('closed');
  const [secret, setSecret] = useState('');
  const close = () => {
    setStep('closed');
    setSecret('');
  };
  if (!host) return null;
  if (step === 'closed') {
    return (
      <div>
        <Button onClick={() => setStep('explained')} size="small" tone="danger">
          {t('settings.forgetAction')}
        </Button>
      </div>
    );
  }
  if (step === 'explained') {
    return (
      <div className="flex flex-col gap-3 rounded-menu border border-line p-4">
        <p>{t('settings.forgetText')}</p>
        <p className="rounded-menu bg-danger-soft p-4">{t('settings.forgetWarning')}</p>
        <ButtonRow>
          <Button onClick={close} size="small" tone="quiet">
            {t('common.cancel')}
          </Button>
          <Button onClick={() => setStep('asked')} size="small">
            {t('common.continue')}
          </Button>
        </ButtonRow>
      </div>
    );
  }
  return (
    <GuardedForm
      action={t('settings.forgetAction')}
      isReady={secret.trim() !== ''}
      needsPassphrase={host.keyProtection.kind === 'passphrase'}
      onCancel={close}
      onConfirm={async (passphrase) => {
        await callBridge('devices.forgetSecret', { passphrase, secret: secret.trim() });
      }}
      tone="danger"
    >
      <SecretField
        autoFocus
        label={t('firstRun.recoverField')}
        note={t('settings.forgetHint')}
        onChange={setSecret}
        value={secret}
      />
    </GuardedForm>
  );
}
