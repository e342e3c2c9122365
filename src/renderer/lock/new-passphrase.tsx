import { useState } from 'react';
import { t } from '../words.tsx';
import { PassphraseField } from './passphrase-field.tsx';
import { passphraseStrength } from './passphrase-strength.ts';

interface NewPassphrase {
  value: string;
  /** True if it is acceptable: hard to guess, and typed twice or shown. */
  isReady: boolean;
  fields: NewPassphraseFieldsProps;
}

/**
 * A new passphrase. It is typed twice, because an unnoticed mistake would lock its owner out; shown, it is typed
 * once.
 * @param own handle and name of the person, if known
 */
export function useNewPassphrase(own: readonly string[] = []): NewPassphrase {
  const [value, setValue] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isShown, setIsShown] = useState(false);
  const strength = passphraseStrength(value, own);
  const isReady = strength.isEnough && (isShown || repeated === value);
  return {
    value,
    isReady,
    fields: { value, setValue, repeated, setRepeated, isShown, setIsShown, strength },
  };
}

interface NewPassphraseFieldsProps {
  value: string;
  setValue: (passphrase: string) => void;
  repeated: string;
  setRepeated: (passphrase: string) => void;
  isShown: boolean;
  setIsShown: (isShown: boolean) => void;
  strength: ReturnType<typeof passphraseStrength>;
}

interface ShownProps {
  label: string;
  /** The reason for refusing it, as a sentence. */
  problem?: string | null;
  autoFocus?: boolean;
}

/** The field of a new passphrase, and the second one while it is hidden. */
export function NewPassphraseFields({
  label,
  problem = null,
  autoFocus = false,
  ...fields
}: NewPassphraseFieldsProps & ShownProps) {
  const { value, repeated, isShown, strength } = fields;
  return (
    <>
      <PassphraseField
        autoFocus={autoFocus}
        kind="new"
        label={label}
        note={problem ?? strength.note}
        noteTone={problem === null ? strength.tone : 'problem'}
        onChange={fields.setValue}
        showing={{ isShown, onShow: fields.setIsShown }}
        value={value}
      />
      {!isShown && (
        <PassphraseField
          kind="new"
          label={t('lock.repeat')}
          onChange={fields.setRepeated}
          showing={{ isShown: false, onShow: null }}
          value={repeated}
          {...repeatNote(value, repeated)}
        />
      )}
    </>
  );
}

/** No error while the typed text is a prefix. */
function repeatNote(value: string, repeated: string) {
  if (repeated === '' || !value.startsWith(repeated)) {
    const isWrong = repeated !== '';
    return {
      note: isWrong ? t('lock.repeatDiffers') : t('lock.repeatHint'),
      noteTone: isWrong ? ('problem' as const) : ('hint' as const),
    };
  }
  return repeated === value
    ? { note: t('lock.repeatMatches'), noteTone: 'good' as const }
    : { note: t('lock.repeatHint'), noteTone: 'hint' as const };
}
