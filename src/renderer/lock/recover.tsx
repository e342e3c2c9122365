import { useId, useState } from 'react';
import { longest } from '../../bridge/longest.ts';
import type { LockState } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { FieldNote, fieldFrame } from '../design/text-field.tsx';
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
  const id = useId();
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
      <div>
        <label className="font-semibold text-[0.8125rem]" htmlFor={id}>
          {t('lock.recoverField')}
        </label>
        <div className={`${fieldFrame} mt-1.5`}>
          <textarea
            aria-describedby={`${id}-note`}
            autoCapitalize="none"
            autoComplete="off"
            autoCorrect="off"
            // biome-ignore lint/a11y/noAutofocus: the page was opened to fill in this field
            autoFocus
            className="w-full resize-none bg-transparent px-3 py-2.5 font-mono text-[0.9375rem] leading-relaxed outline-none"
            id={id}
            maxLength={longest.secret}
            onChange={(event) => setSecret(event.target.value)}
            rows={3}
            spellCheck={false}
            value={secret}
          />
        </div>
        <div className="mt-1.5">
          <FieldNote id={`${id}-note`} tone="problem">
            {recover.error?.message}
          </FieldNote>
        </div>
      </div>
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
