/**
 * Names and descriptions typed by a person. One rule for names of groups, bots, people, keys and devices: at
 * most `MAX_NAME` characters, in any script.
 */
import { CONTROL, hasMoreCharacters, MAX_DESCRIPTION, MAX_NAME, toFullLabel } from '../protocol/label.ts';
import { Failure } from './failure.ts';

export { countCharacters, hasMoreCharacters, MAX_DESCRIPTION, MAX_NAME } from '../protocol/label.ts';

/**
 * A name in its form for sending. Empty if nothing visible is left.
 * @throws Failure 'name_long'
 */
export function toName(text: string): string {
  const name = toFullLabel(text);
  if (hasMoreCharacters(name, MAX_NAME)) throw new Failure('name_long', { most: MAX_NAME });
  return name;
}

const CONTROLS = new RegExp(`[${CONTROL}]`);

/**
 * Refuses an invalid group name, description or bot name.
 * @throws Failure 'name_empty', 'name_long', 'name_malformed', 'description_long', 'description_malformed'
 */
export function requireValidName({
  name,
  description,
}: {
  name?: string | undefined;
  description?: string | undefined;
}): void {
  if (name === '') throw new Failure('name_empty');
  if (name !== undefined && hasMoreCharacters(name, MAX_NAME)) {
    throw new Failure('name_long', { most: MAX_NAME });
  }
  if (description !== undefined && hasMoreCharacters(description, MAX_DESCRIPTION)) {
    throw new Failure('description_long', { most: MAX_DESCRIPTION });
  }
  if (name !== undefined && (CONTROLS.test(name) || !name.isWellFormed()))
    throw new Failure('name_malformed');
  const line = description?.replace(/[\n\t]/g, ' ') ?? '';
  if (CONTROLS.test(line) || !line.isWellFormed()) throw new Failure('description_malformed');
}
