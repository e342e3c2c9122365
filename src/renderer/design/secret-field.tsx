import { useId } from 'react';
import { longest } from '../../bridge/longest.ts';
import { FieldNote, fieldFrame } from './text-field.tsx';

interface SecretFieldProps {
  label: string;
  value: string;
  onChange: (secret: string) => void;
  note?: string | null;
  noteTone?: 'hint' | 'good' | 'problem';
  rows?: number;
  autoFocus?: boolean;
}

/** A field for a recovery phrase or a private key. Nothing corrects, completes or stores its text. */
export function SecretField(props: SecretFieldProps) {
  const { label, value, onChange, note, noteTone = 'hint', rows = 3, autoFocus = false } = props;
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label className="font-semibold text-secondary" htmlFor={id}>
        {label}
      </label>
      <div className={fieldFrame}>
        <textarea
          aria-describedby={`${id}-note`}
          aria-invalid={noteTone === 'problem' || undefined}
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          // biome-ignore lint/a11y/noAutofocus: only where the page or form was opened to fill in this field
          autoFocus={autoFocus}
          className="w-full resize-none bg-transparent px-3 py-2.5 font-mono text-interface outline-none"
          id={id}
          maxLength={longest.secret}
          onChange={(event) => onChange(event.target.value)}
          rows={rows}
          spellCheck={false}
          value={value}
        />
      </div>
      <FieldNote id={`${id}-note`} tone={noteTone}>
        {note}
      </FieldNote>
    </div>
  );
}
