import { useEffect, useRef, useState } from 'react';
import type { Input } from '../../bridge/contract.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { RadioRow } from '../design/setting-rows.tsx';
import { NewPassphraseFields, useNewPassphrase } from '../lock/new-passphrase.tsx';
import { t } from '../words.tsx';

type Opens = 'phrase' | 'passphrase';

interface SecretFormProps {
  hasPhrase: boolean;
  action: string;
  /** Makes the backup, or chooses the folder for it. */
  command: {
    mutate: (secret: Input<'backup.make'>) => void;
    isPending: boolean;
    error: { message: string } | null;
    reset: () => void;
  };
  onClose: () => void;
}

/** The choice of secrets that open a new backup. */
export function SecretForm({ hasPhrase, action, command, onClose }: SecretFormProps) {
  const [opens, setOpens] = useState<Opens>(hasPhrase ? 'phrase' : 'passphrase');
  const me = useBridgeQuery('app.state', {}).data?.me;
  const own = [me?.handle, me?.displayName].filter((name) => typeof name === 'string');
  const { value, isReady, fields } = useNewPassphrase(own);
  const isComplete = opens === 'phrase' || isReady;
  const form = useRef<HTMLFormElement>(null);
  const close = () => {
    // A form that is opened again shows no earlier failure.
    if (!command.isPending) command.reset();
    onClose();
  };
  useEffect(() => {
    // The button that opened the form is gone. Without the choice, the field for a passphrase takes the focus.
    form.current?.querySelector<HTMLElement>('input:checked')?.focus();
  }, []);
  return (
    <form
      ref={form}
      className="flex flex-col gap-3 rounded-menu border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete || command.isPending) return;
        const withPhrase = opens === 'phrase';
        command.mutate({ withPhrase, passphrase: withPhrase ? null : value });
      }}
    >
      {hasPhrase && (
        <RadioRow
          legend={t('settings.backupOpens')}
          onChoose={setOpens}
          options={[
            { value: 'phrase', label: t('settings.backupByPhrase') },
            { value: 'passphrase', label: t('settings.backupByPassphrase') },
          ]}
          value={opens}
        />
      )}
      {opens === 'phrase' ? (
        <p className="text-ink-soft text-meta">{t('settings.backupPhraseText')}</p>
      ) : (
        <>
          <NewPassphraseFields autoFocus={!hasPhrase} label={t('settings.backupPassphrase')} {...fields} />
          <p className="text-ink-soft text-meta">{t('settings.backupPassphraseText')}</p>
        </>
      )}
      {command.error && (
        <p className="text-danger-ink" role="alert">
          {command.error.message}
        </p>
      )}
      <ButtonRow>
        <Button onClick={close} size="small" tone="quiet">
          {t('common.cancel')}
        </Button>
        <Button busy={command.isPending} disabled={!isComplete} size="small" tone="primary" type="submit">
          {action}
        </Button>
      </ButtonRow>
    </form>
  );
}
