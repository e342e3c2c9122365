import { type ReactNode, useState } from 'react';
import { useBridgeQuery } from '../bridge.ts';
import { SecretField } from '../design/secret-field.tsx';
import { t } from '../words.tsx';
import { GuardedForm } from './privacy/guarded-form.tsx';

interface SigningFormProps {
  /** The consequences, and whether they can be undone. */
  children?: ReactNode;
  action: string;
  tone: 'primary' | 'danger';
  /** True if the recovery phrase is stored on this computer: then the passphrase is asked for, if one is set. */
  keepsPhrase: boolean;
  /** A rejection is shown. */
  onSign: (proof: { passphrase: string | null; secret?: string }) => Promise<void>;
  onCancel: () => void;
}

/**
 * Asks for the secret needed for a change of own devices: the passphrase, or the recovery phrase if it is not stored.
 */
export function SigningForm({ children, keepsPhrase, onSign, ...form }: SigningFormProps) {
  const { data: host } = useBridgeQuery('host.info', {});
  const [secret, setSecret] = useState('');
  if (!host) return null;
  return (
    <GuardedForm
      {...form}
      isReady={keepsPhrase || secret.trim() !== ''}
      needsPassphrase={keepsPhrase && host.keyProtection.kind === 'passphrase'}
      onConfirm={(passphrase) => onSign(keepsPhrase ? { passphrase } : { passphrase, secret: secret.trim() })}
    >
      {children}
      {!keepsPhrase && (
        <SecretField
          autoFocus
          label={t('firstRun.recoverField')}
          note={t('settings.phraseOnce')}
          onChange={setSecret}
          value={secret}
        />
      )}
    </GuardedForm>
  );
}
