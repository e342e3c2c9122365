import { useState } from 'react';
import { useBridgeQuery, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { ButtonRow } from '../../design/button-row.tsx';
import { useLock } from '../../lock/lock-gate.tsx';
import { NewPassphraseFields, useNewPassphrase } from '../../lock/new-passphrase.tsx';
import { OwnPassphrase } from '../../lock/own-passphrase.tsx';
import { t } from '../../words.tsx';

interface PassphraseFormProps {
  /** Setting the first passphrase, removing it, or replacing it. */
  kind: 'on' | 'off' | 'change';
  onDone: () => void;
}

const actions = {
  on: t('settings.passphraseOn'),
  off: t('settings.passphraseOff'),
  change: t('settings.passphraseChange'),
};

/** Asks for the current passphrase, for a new one, or for both. */
export function PassphraseForm({ kind, onDone }: PassphraseFormProps) {
  const { canBeRecovered } = useLock();
  const [current, setCurrent] = useState('');
  const me = useBridgeQuery('app.state', {}).data?.me;
  const own = [me?.handle, me?.displayName].filter((name) => typeof name === 'string');
  const { value: next, isReady, fields } = useNewPassphrase(own);
  const options = { showsFailure: true, onSuccess: onDone };
  const turnOn = useCommand('lock.turnOn', options);
  const turnOff = useCommand('lock.turnOff', options);
  const change = useCommand('lock.change', options);
  const { error, isPending } = { on: turnOn, off: turnOff, change }[kind];
  const isComplete = (kind === 'on' || current !== '') && (kind === 'off' || isReady);
  const submit = () => {
    if (!isComplete || isPending) return;
    if (kind === 'on') turnOn.mutate({ passphrase: next });
    if (kind === 'off') turnOff.mutate({ passphrase: current });
    if (kind === 'change') change.mutate({ passphrase: current, next });
  };
  const refused = error?.message;
  return (
    <form
      className="flex flex-col gap-2 rounded-menu border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {kind !== 'on' && (
        <OwnPassphrase autoFocus isSet onChange={setCurrent} problem={refused ?? null} value={current} />
      )}
      {kind !== 'off' && (
        <NewPassphraseFields
          autoFocus={kind === 'on'}
          label={kind === 'on' ? t('lock.passphrase') : t('lock.newPassphrase')}
          problem={kind === 'on' ? (refused ?? null) : null}
          {...fields}
        />
      )}
      {kind === 'on' && (
        <p className="text-ink-soft text-meta">
          {canBeRecovered ? t('settings.passphraseForgot') : t('settings.passphraseOnly')}
        </p>
      )}
      <ButtonRow>
        <Button onClick={onDone} size="small" tone="quiet">
          {t('common.cancel')}
        </Button>
        <Button busy={isPending} disabled={!isComplete} size="small" tone="primary" type="submit">
          {actions[kind]}
        </Button>
      </ButtonRow>
    </form>
  );
}
