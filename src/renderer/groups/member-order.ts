import { personName } from '../../base/person-name.ts';
import type { GroupMember } from '../../bridge/shapes/group.ts';
import { locale } from '../locale.ts';

const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

const rank = ({ isCreator, isAdmin }: GroupMember) => (isCreator ? 0 : isAdmin ? 1 : 2);

/** The order of listed members: the owner, admins, all others, each by name. */
export function inOrder(members: readonly GroupMember[]): GroupMember[] {
  return members.toSorted(
    (one, other) => rank(one) - rank(other) || compare(personName(one.person), personName(other.person)),
  );
}
