/**
 * Which lists of members there may have been between two that the relay has shown.
 */
import { membersHashes } from '../../protocol/members-hash.ts';

/** Joining and leaving that is looked at in every order: so many changes give 2 to their number of lists. */
const MOST_CHANGES = 8;

/**
 * The hashes of all lists that lie between two: someone may have been shown one of them when writing, while several
 * came and went. Null if there were too many changes to tell.
 * @param before,after wire addresses
 */
export function hashesBetween(before: readonly string[], after: readonly string[]): string[] | null {
  const [was, is] = [new Set(before), new Set(after)];
  const changes = [...is.symmetricDifference(was)];
  if (changes.length > MOST_CHANGES) return null;
  return membersHashes([...was.intersection(is)], changes);
}
