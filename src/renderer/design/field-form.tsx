import type { ComponentProps } from 'react';
import { hasMoreCharacters } from '../../base/names.ts';
import { Button } from './button.tsx';
import { TextField } from './text-field.tsx';

interface FieldFormProps extends Omit<ComponentProps<typeof TextField>, 'beside' | 'onChange'> {
  /** Text of the button. */
  action: string;
  busy: boolean;
  /** Without a change there is nothing to save. */
  isChanged: boolean;
  onSave: () => void;
  onType: (value: string) => void;
}

/** A form of one field, saved by its button or Enter. */
export function FieldForm({ action, busy, isChanged, onSave, onType, ...field }: FieldFormProps) {
  const { value, most } = field;
  const isTooLong = most !== undefined && hasMoreCharacters(value, most);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChanged) return;
        // Saved, the button is disabled, and would lose the focus.
        event.currentTarget.querySelector('input')?.focus();
        onSave();
      }}
    >
      <TextField
        {...field}
        beside={
          <Button busy={busy} disabled={!isChanged || isTooLong} type="submit">
            {action}
          </Button>
        }
        onChange={(event) => onType(event.target.value)}
      />
    </form>
  );
}
