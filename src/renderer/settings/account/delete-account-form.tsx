import { useState } from 'react';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { ButtonRow } from '../../design/button-row.tsx';
import { SecretField } from '../../design/secret-field.tsx';
import { RadioRow } from '../../design/setting-rows.tsx';
import { t } from '../../words.tsx';

const times = [
  { value: 'later', label: t('settings.accountDeleteLater') },
  { value: 'now', label: t('settings.accountDeleteNow') },
] as const;

interface DeleteAccountFormProps {
  server: string;
  onClose: () => void;
}

/** The second step: consequences, date, and the recovery phrase for deleting now. */
export function DeleteAccountForm({ server, onClose }: DeleteAccountFormProps) {
  const [time, setTime] = useState<'later' | 'now'>('later');
  const [secret, setSecret] = useState('');
  const remove = useCommand('account.delete', { showsFailure: true, onSuccess: onClose });
  const isReady = time === 'later' || secret.trim() !== '';
  const problem = remove.error?.message ?? null;
  return (
    <form
      className="flex flex-col gap-3 rounded-menu border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !remove.isPending) remove.mutate({ secret: time === 'now' ? secret : null });
      }}
    >
      <h4 className="font-semibold [overflow-wrap:anywhere]">{t('settings.accountDeleteAt', { server })}</h4>
      <p>{t('settings.accountDeleteText')}</p>
      <p className="text-ink-soft">{t('settings.accountStaysText')}</p>
      <RadioRow
        legend={t('settings.accountDeleteWhen')}
        onChoose={(chosen) => {
          setTime(chosen);
          remove.reset();
        }}
        options={times}
        value={time}
      />
      {time === 'later' ? (
        <p className="text-ink-soft text-meta">{t('settings.accountDeleteLaterText')}</p>
      ) : (
        <SecretField
          label={t('firstRun.recoverField')}
          note={t('settings.accountDeleteNowText')}
          onChange={setSecret}
          value={secret}
        />
      )}
      <p className="text-danger-ink [overflow-wrap:anywhere] empty:hidden" role="alert">
        {problem}
      </p>
      <ButtonRow>
        <Button onClick={onClose} size="small" tone="quiet">
          {t('common.cancel')}
        </Button>
        <Button busy={remove.isPending} disabled={!isReady} size="small" tone="danger" type="submit">
          {t('settings.accountDelete')}
        </Button>
      </ButtonRow>
    </form>
  );
}
