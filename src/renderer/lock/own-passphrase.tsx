import { t } from '../words.tsx';
import { PassphraseField } from './passphrase-field.tsx';

interface OwnPassphraseProps {
  /** Whether one is set: otherwise there is only the problem to be told. */
  isAsked: boolean;
  value: string;
  onChange: (passphrase: string) => void;
  /** Why it did not work, as a sentence. */
  problem: string | null;
  autoFocus?: boolean;
}

/** Asks for the passphrase that is set, before something that only the person may do. */
export function OwnPassphrase({ isAsked, value, onChange, problem, autoFocus = false }: OwnPassphraseProps) {
  if (!isAsked) {
    return (
      <p className="text-danger-ink empty:hidden" role="alert">
        {problem}
      </p>
    );
  }
  return (
    <PassphraseField
      autoFocus={autoFocus}
      kind="current"
      label={t('lock.yourPassphrase')}
      note={problem}
      noteTone="problem"
      onChange={onChange}
      value={value}
    />
  );
}
