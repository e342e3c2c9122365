import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { t } from '../words.tsx';
import { LockFrame } from './lock-frame.tsx';
import { NewPassphraseFields, useNewPassphrase } from './new-passphrase.tsx';

/** The very first page if only a passphrase can protect the stored data. */
export function ChoosePassphrase() {
  const { value: passphrase, isReady, fields } = useNewPassphrase();
  const choose = useCommand('lock.choose', { showsFailure: true });
  return (
    <LockFrame
      actions={
        <Button busy={choose.isPending} disabled={!isReady} tone="primary" type="submit">
          {t('common.continue')}
        </Button>
      }
      onSubmit={() => isReady && choose.mutate({ passphrase })}
      text={t('lock.chooseText')}
      title={t('lock.choose')}
    >
      <NewPassphraseFields
        autoFocus
        label={t('lock.passphrase')}
        problem={choose.error?.message ?? null}
        {...fields}
      />
    </LockFrame>
  );
}
