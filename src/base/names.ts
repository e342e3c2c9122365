/**
 * Names and descriptions that a person gives. One rule for each name, of groups, bots, people, keys and devices: it has at
 * most `MOST_NAME` characters, in any script.
 */
import { hasMoreCharacters, MOST_DESCRIPTION, MOST_NAME, toWholeLabel } from '../protocol/label.ts';
import { Failure } from './failure.ts';

export { countCharacters, hasMoreCharacters, MOST_DESCRIPTION, MOST_NAME } from '../protocol/label.ts';

/**
 * A name as it is sent. Empty if nothing is left.
 * @throws Failure 'name_long'
 */
export function toName(text: string): string {
  const name = toWholeLabel(text);
  if (hasMoreCharacters(name, MOST_NAME)) throw new Failure('name_long', { most: MOST_NAME });
  return name;
}

/**
 * Refuses what no group takes as its own name, its description or the name of a bot.
 * @throws Failure 'name_empty', 'name_long', 'description_long'
 */
export function requireWords({
  name,
  description,
}: {
  name?: string | undefined;
  description?: string | undefined;
}): void {
  if (name === '') throw new Failure('name_empty');
  if (name !== undefined && hasMoreCharacters(name, MOST_NAME)) {
    throw new Failure('name_long', { most: MOST_NAME });
  }
  if (description !== undefined && hasMoreCharacters(description, MOST_DESCRIPTION)) {
    throw new Failure('description_long', { most: MOST_DESCRIPTION });
  }
}
