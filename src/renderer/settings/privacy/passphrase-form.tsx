import { useState } from 'react';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { useLock } from '../../lock/lock-gate.tsx';
import { OwnPassphrase } from '../../lock/own-passphrase.tsx';
import { PassphraseField } from '../../lock/passphrase-field.tsx';
import { passphraseStrength } from '../../lock/passphrase-strength.ts';
import { t } from '../../words.tsx';

interface PassphraseFormProps {
  /** Setting the first passphrase, taking it away, or replacing it. */
  kind: 'on' | 'off' | 'change';
  onDone: () => void;
}

const actions = {
  on: t('settings.passphraseOn'),
  off: t('settings.passphraseOff'),
  change: t('settings.passphraseChange'),
};

/** Asks for the passphrase that is set, for a new one, or for both. */
export function PassphraseForm({ kind, onDone }: PassphraseFormProps) {
  const { canBeRecovered } = useLock();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const strength = passphraseStrength(next);
  const options = { tellsFailure: true, onSuccess: onDone };
  const turnOn = useCommand('lock.turnOn', options);
  const turnOff = useCommand('lock.turnOff', options);
  const change = useCommand('lock.change', options);
  const { error, isPending } = { on: turnOn, off: turnOff, change }[kind];
  const isComplete = (kind === 'on' || current !== '') && (kind === 'off' || strength.isEnough);
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
        <OwnPassphrase autoFocus isAsked onChange={setCurrent} problem={refused ?? null} value={current} />
      )}
      {kind !== 'off' && (
        <PassphraseField
          autoFocus={kind === 'on'}
          kind="new"
          label={kind === 'on' ? t('lock.passphrase') : t('lock.newPassphrase')}
          note={(kind === 'on' && refused) || strength.note}
          noteTone={kind === 'on' && refused ? 'problem' : strength.tone}
          onChange={setNext}
          value={next}
        />
      )}
      {kind === 'on' && (
        <p className="text-ink-soft text-meta">
          {canBeRecovered ? t('settings.passphraseForgot') : t('settings.passphraseOnly')}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone} size="small" tone="quiet">
          {t('common.cancel')}
        </Button>
        <Button busy={isPending} disabled={!isComplete} size="small" tone="primary" type="submit">
          {actions[kind]}
        </Button>
      </div>
    </form>
  );
}
