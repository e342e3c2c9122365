import type { ReactNode } from 'react';
import { personName, personSubtitle } from '../../base/person-name.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { Avatar } from '../design/avatar.tsx';
import { t } from '../words.tsx';

interface PersonLineProps {
  person: Person;
}

/**
 * A person on one line: avatar, name, handle, and whether the administrator confirmed the handle (in words: a tick
 * would look like the verification mark).
 */
export function PersonLine({ person }: PersonLineProps) {
  return (
    <>
      <Avatar person={person} size="small" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-semibold">{personName(person)}</bdi>
        <bdi className="block text-ink-soft text-meta [overflow-wrap:anywhere]">
          {person.handleVerified
            ? t('people.confirmedHandle', { handle: personSubtitle(person) })
            : personSubtitle(person)}
        </bdi>
      </span>
    </>
  );
}

export function PersonButton({
  person,
  ...button
}: PersonLineProps & { disabled?: boolean; onChoose: () => void }) {
  return (
    <ChoiceButton {...button}>
      <PersonLine person={person} />
    </ChoiceButton>
  );
}

/** A line that is chosen by a click. */
export function ChoiceButton({
  children,
  disabled = false,
  onChoose,
}: {
  children: ReactNode;
  disabled?: boolean;
  onChoose: () => void;
}) {
  return (
    <button
      className="flex min-w-0 flex-1 items-center gap-3 rounded-control p-2 text-start -outline-offset-2 enabled:hover:bg-sunken disabled:opacity-50"
      disabled={disabled}
      onClick={onChoose}
      type="button"
    >
      {children}
    </button>
  );
}
