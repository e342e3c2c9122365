/** Name of a person in the engine's sentences. */
import { personName as shownName } from '../../base/person-name.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import type { StoredPerson } from '../cache/conversations.ts';

export function personName(person: StoredPerson): string {
  return shownName({ ...person, address: toChecksumAddress(person.address) });
}
