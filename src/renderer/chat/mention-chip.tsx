import type { Person } from '../../bridge/shapes/person.ts';
import { distinctHandleIn } from '../../words/distinct-name.ts';
import { classNames } from '../design/class-names.ts';
import { useOpenPerson } from '../people/use-open-person.ts';
import { useOwnAddress } from '../people/use-own-address.ts';
import { t, words } from '../words.tsx';

const chip = 'rounded-chip px-1 font-medium';

/** A mentioned person, under the name known to this device. A click opens the chat with them. */
export function MentionChip({ person, name: plain }: { person: Person; name: string }) {
  const handle = distinctHandleIn(words, person, person.hasNamesake === true);
  const name = handle === null ? plain : t('people.nameWithHandle', { name: plain, handle });
  const own = useOwnAddress();
  const { openPerson } = useOpenPerson();
  if (person.address === own) {
    return (
      <mark className={classNames(chip, 'border border-accent-ink/40 bg-selection text-accent-ink')}>
        <bdi>{name}</bdi>
      </mark>
    );
  }
  return (
    <button
      className={classNames(
        chip,
        'bg-[light-dark(rgb(60_40_20/0.08),rgb(255_240_225/0.1))] text-start hover:underline',
      )}
      onClick={() => openPerson(person.address)}
      type="button"
    >
      <bdi>{name}</bdi>
    </button>
  );
}
