import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { longest } from '../../bridge/longest.ts';
import { IconButton } from '../design/icon-button.tsx';
import { FieldNote, fieldFrame } from '../design/text-field.tsx';
import { t } from '../words.tsx';

interface PassphraseFieldProps {
  label: string;
  value: string;
  onChange: (passphrase: string) => void;
  /** For the browser's password manager: an existing or a new one. */
  kind: 'current' | 'new';
  note: ReactNode;
  noteTone?: 'hint' | 'good' | 'problem';
  autoFocus?: boolean;
  disabled?: boolean;
  /** The visibility, if another component needs it. Without a setter the field has no eye. */
  showing?: { isShown: boolean; onShow: ((isShown: boolean) => void) | null };
}

/** A passphrase, hidden until its eye is pressed. */
export function PassphraseField({
  label,
  value,
  onChange,
  kind,
  note,
  noteTone = 'hint',
  autoFocus = false,
  disabled = false,
  showing,
}: PassphraseFieldProps) {
  const id = useId();
  const [shownHere, setShownHere] = useState(false);
  const { isShown, onShow } = showing ?? { isShown: shownHere, onShow: setShownHere };
  return (
    <div className="flex flex-col gap-1.5">
      <label className="font-semibold text-secondary" htmlFor={id}>
        {label}
      </label>
      <div className={fieldFrame}>
        <input
          aria-describedby={`${id}-note`}
          aria-invalid={(noteTone === 'problem' && Boolean(note)) || undefined}
          autoCapitalize="none"
          autoComplete={kind === 'new' ? 'new-password' : 'current-password'}
          // biome-ignore lint/a11y/noAutofocus: where it is set, this field is all that the page is for
          autoFocus={autoFocus}
          className="h-[2.125rem] w-full min-w-0 bg-transparent ps-3 text-interface outline-none disabled:text-ink-soft"
          disabled={disabled}
          id={id}
          maxLength={longest.passphrase}
          onChange={(event) => onChange(event.target.value)}
          spellCheck={false}
          type={isShown ? 'text' : 'password'}
          value={value}
        />
        {onShow && (
          <IconButton
            aria-pressed={isShown}
            className="me-0.5"
            icon={isShown ? EyeOff : Eye}
            label={isShown ? t('lock.hidePassphrase') : t('lock.showPassphrase')}
            onClick={() => onShow(!isShown)}
          />
        )}
      </div>
      <FieldNote id={`${id}-note`} tone={noteTone}>
        {note}
      </FieldNote>
    </div>
  );
}
