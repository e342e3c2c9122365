import { TextField } from '../design/text-field.tsx';

interface GroupFieldsProps {
  name: string;
  onName: (name: string) => void;
  description: string;
  onDescription: (description: string) => void;
  /** Why the group could not be made or changed; else the hint under its name. */
  problem: string | undefined;
  hint: string;
}

/** What a group is called, and what it says about itself. */
export function GroupFields({ name, onName, description, onDescription, problem, hint }: GroupFieldsProps) {
  return (
    <>
      <TextField
        autoFocus
        label="Name"
        maxLength={80}
        note={problem ?? hint}
        noteTone={problem === undefined ? 'hint' : 'problem'}
        onChange={(event) => onName(event.target.value)}
        value={name}
      />
      <TextField
        label="What it is about"
        maxLength={1000}
        onChange={(event) => onDescription(event.target.value)}
        value={description}
      />
    </>
  );
}
