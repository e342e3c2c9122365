import { useEffect, useId, useRef, useState } from 'react';
import type { Person } from '../../bridge/shapes/person.ts';
import { Button } from '../design/button.tsx';
import { t } from '../words.tsx';
import { PersonButton } from './person-button.tsx';

interface PeopleListProps {
  title: string;
  /** Level of the heading. */
  level: 2 | 3;
  people: readonly Person[];
  onChoose: (address: string) => void;
}

/** The number of people shown before the others are requested. */
const MAX_AT_FIRST = 5;

/** People under a heading; the first few of a long list. */
export function PeopleList({ title, level, people, onChoose }: PeopleListProps) {
  const headingId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [showsAll, setShowsAll] = useState(false);
  useEffect(() => {
    // The button that had the focus is gone.
    if (showsAll) list.current?.querySelectorAll('button')[MAX_AT_FIRST]?.focus();
  }, [showsAll]);
  const shown = showsAll ? people : people.slice(0, MAX_AT_FIRST);
  const Heading = `h${level}` as const;
  return (
    <>
      <Heading className="px-2 pb-1 font-semibold text-ink-soft text-meta" id={headingId}>
        {title}
      </Heading>
      <ul aria-labelledby={headingId} data-people ref={list}>
        {shown.map((person) => (
          <li className="flex" key={person.address}>
            <PersonButton onChoose={() => onChoose(person.address)} person={person} />
          </li>
        ))}
      </ul>
      {shown.length < people.length && (
        <Button className="mt-1" onClick={() => setShowsAll(true)} size="small">
          {t('people.showMore')}
        </Button>
      )}
    </>
  );
}
