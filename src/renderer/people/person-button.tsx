import { BadgeCheck } from 'lucide-react';
import type { Person } from '../../bridge/shapes.ts';
import { Avatar } from '../design/avatar.tsx';
import { personName, personSubtitle } from '../shared/person.ts';

interface PersonLineProps {
  person: Person;
}

/** A person on one line: avatar, name, handle, and whether the operator vouches for the handle. */
export function PersonLine({ person }: PersonLineProps) {
  return (
    <>
      <Avatar person={person} size="small" />
      <span className="min-w-0 flex-1 leading-tight">
        <span className="flex items-center gap-1">
          <bdi className="truncate font-semibold">{personName(person)}</bdi>
          {person.handleVerified && (
            <BadgeCheck
              aria-label="Handle confirmed by the relay"
              className="size-4 shrink-0 text-ink-soft"
              role="img"
            />
          )}
        </span>
        <span className="block truncate text-ink-soft text-xs">{personSubtitle(person)}</span>
      </span>
    </>
  );
}

export function PersonButton({ person, onChoose }: PersonLineProps & { onChoose: () => void }) {
  return (
    <button
      className="flex w-full items-center gap-3 rounded-xl p-2 text-left -outline-offset-2 hover:bg-sunken"
      onClick={onChoose}
      type="button"
    >
      <PersonLine person={person} />
    </button>
  );
}
