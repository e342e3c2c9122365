import { useId, useState } from 'react';
import { longest } from '../../../bridge/longest.ts';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { FieldNote, fieldFrame } from '../../design/text-field.tsx';
import { t } from '../../words.tsx';
import { RadioRow } from '../setting-rows.tsx';

const times = [
  { value: 'later', label: t('settings.accountDeleteLater') },
  { value: 'now', label: t('settings.accountDeleteNow') },
] as const;

interface DeleteAccountFormProps {
  server: string;
  onClose: () => void;
}

/** The second step: what happens, when, and the recovery phrase for now. */
export function DeleteAccountForm({ server, onClose }: DeleteAccountFormProps) {
  const id = useId();
  const [time, setTime] = useState<'later' | 'now'>('later');
  const [secret, setSecret] = useState('');
  const remove = useCommand('account.delete', { tellsFailure: true, onSuccess: onClose });
  const isReady = time === 'later' || secret.trim() !== '';
  const problem = remove.error?.message ?? null;
  return (
    <form
      className="flex flex-col gap-3 rounded-2xl border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !remove.isPending) remove.mutate({ secret: time === 'now' ? secret : null });
      }}
    >
      <h4 className="font-semibold [overflow-wrap:anywhere]">{t('settings.accountDeleteAt', { server })}</h4>
      <p className="leading-relaxed">{t('settings.accountDeleteText')}</p>
      <p className="text-ink-soft leading-relaxed">{t('settings.accountStaysText')}</p>
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
        <p className="text-ink-soft text-xs">{t('settings.accountDeleteLaterText')}</p>
      ) : (
        <div className="flex flex-col gap-1.5">
          <label className="font-semibold text-[0.8125rem]" htmlFor={id}>
            {t('firstRun.recoverField')}
          </label>
          <div className={fieldFrame}>
            <textarea
              aria-describedby={`${id}-note`}
              autoCapitalize="none"
              autoComplete="off"
              autoCorrect="off"
              className="w-full resize-none bg-transparent px-3 py-2 font-mono text-[0.875rem] leading-relaxed outline-none"
              id={id}
              maxLength={longest.secret}
              onChange={(event) => setSecret(event.target.value)}
              rows={3}
              spellCheck={false}
              value={secret}
            />
          </div>
          <FieldNote id={`${id}-note`} tone="hint">
            {t('settings.accountDeleteNowText')}
          </FieldNote>
        </div>
      )}
      <p className="text-wax-ink leading-relaxed [overflow-wrap:anywhere] empty:hidden" role="alert">
        {problem}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose} size="small" tone="quiet">
          {t('common.cancel')}
        </Button>
        <Button busy={remove.isPending} disabled={!isReady} size="small" tone="danger" type="submit">
          {t('settings.accountDelete')}
        </Button>
      </div>
    </form>
  );
}
