import { t } from '../words.tsx';
import { PassphraseField } from './passphrase-field.tsx';

interface OwnPassphraseProps {
  /** True if one is set: otherwise only the problem is shown. */
  isSet: boolean;
  value: string;
  onChange: (passphrase: string) => void;
  /** The failure, as a sentence. */
  problem: string | null;
  autoFocus?: boolean;
}

/** Asks for the passphrase before an action that only the person may take. */
export function OwnPassphrase({ isSet, value, onChange, problem, autoFocus = false }: OwnPassphraseProps) {
  if (!isSet) {
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
