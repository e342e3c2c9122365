/** Candidates for a mention by the beginning of a name. */
import { fitOf } from '../../base/name-fit.ts';
import type { StoredPerson } from '../cache/conversations.ts';

type Named = Pick<StoredPerson, 'address' | 'handle' | 'displayName' | 'nickname'>;

interface MentionContext {
  /** Addresses of the last authors, last first. */
  last: readonly string[];
  /** The person's own address. */
  own: string;
}

const byName = new Intl.Collator();

/**
 * People whose name or handle fits the typed text. First the last authors, then names that begin with it,
 * then the others by name. The person is last.
 */
export function findMentionable<P extends Named>(
  people: readonly P[],
  typed: string,
  { last, own }: MentionContext,
): P[] {
  const places = new Map(last.map((address, place) => [address, place]));
  const found = people.flatMap((person) => {
    const fit = fitOfPerson(person, typed);
    if (fit === null) return [];
    const place = places.get(person.address) ?? last.length;
    const group = person.address === own ? 3 : place < last.length ? 0 : 1 + fit;
    return [{ person, group, fit, place, name: nameOf(person) }];
  });
  return found
    .sort((a, b) => a.group - b.group || a.fit - b.fit || a.place - b.place || byName.compare(a.name, b.name))
    .map(({ person }) => person);
}

/** The best fit of their names, or of the address without a name. */
function fitOfPerson({ nickname, displayName, handle, address }: Named, typed: string): 0 | 1 | null {
  const names = [nickname, displayName, handle].filter((name) => name !== null);
  const matches = (names.length > 0 ? names : [address])
    .map((name) => fitOf(name, typed))
    .filter((fit) => fit !== null);
  return matches.length === 0 ? null : matches.includes(0) ? 0 : 1;
}

const nameOf = ({ nickname, displayName, handle, address }: Named) =>
  nickname ?? displayName ?? handle ?? address;
