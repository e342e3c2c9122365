import type { RefObject } from 'react';
import { hasMoreCharacters, MAX_DESCRIPTION, MAX_NAME } from '../../base/names.ts';
import { longest } from '../../bridge/longest.ts';
import { TextField } from '../design/text-field.tsx';
import { t } from '../words.tsx';

interface GroupFieldsProps {
  name: string;
  onName: (name: string) => void;
  description: string;
  onDescription: (description: string) => void;
  /** The reason why the group could not be created or changed; else the hint under its name. */
  problem: string | undefined;
  hint: string;
  /** The name field, for a dialog that starts there; else it is focused when the fields appear. */
  field?: RefObject<HTMLInputElement | null>;
}

/** Reports whether name and description are valid. */
export function areGroupWords(name: string, description: string): boolean {
  return (
    name.trim() !== '' &&
    !hasMoreCharacters(name, MAX_NAME) &&
    !hasMoreCharacters(description, MAX_DESCRIPTION)
  );
}

/** The name and description of a group. */
export function GroupFields(props: GroupFieldsProps) {
  const { name, onName, description, onDescription, problem, hint, field } = props;
  return (
    <>
      <TextField
        autoFocus={field === undefined}
        label={t('groups.name')}
        maxLength={longest.name}
        most={MAX_NAME}
        note={problem ?? hint}
        noteTone={problem === undefined ? 'hint' : 'problem'}
        onChange={(event) => onName(event.target.value)}
        ref={field}
        value={name}
      />
      <TextField
        label={t('groups.description')}
        maxLength={longest.groupDescription}
        most={MAX_DESCRIPTION}
        onChange={(event) => onDescription(event.target.value)}
        value={description}
      />
    </>
  );
}
