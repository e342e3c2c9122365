import { personName } from '../../base/person-name.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { distinctHandleIn } from '../../words/distinct-name.ts';
import { classNames } from '../design/class-names.ts';
import { rich, words } from '../words.tsx';

interface NameLineProps {
  person: Person;
  /** True if another person who is shown nearby has the same name. */
  hasNamesake?: boolean;
  className?: string;
}

/** A name on one line. A long name is cut before its handle, which distinguishes it from an equal name. */
export function NameLine({ person, hasNamesake = person.hasNamesake === true, className }: NameLineProps) {
  const name = personName(person);
  const handle = distinctHandleIn(words, person, hasNamesake);
  if (handle === null) return <bdi className={classNames('block truncate', className)}>{name}</bdi>;
  return (
    <bdi className={classNames('flex min-w-0', className)}>
      <span className="min-w-0 truncate">{name}</span>
      <span className="min-w-0 max-w-[75%] shrink-0 truncate whitespace-pre">
        {' '}
        {rich('people.handleBeside', { handle })}
      </span>
    </bdi>
  );
}
