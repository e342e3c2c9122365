/**
 * The time and the people of all scenes. Everything is made of names, so that it is the same each time.
 */
import type { Person } from '../../src/bridge/shapes/person.ts';
import { toLabel } from '../../src/protocol/label.ts';

/** The time at which all scenes play: Wednesday, 4 March 2026, noon in UTC. */
export const NOW = Date.UTC(2026, 2, 4, 12);
/** In milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An address that is made of a name (FNV-1a, over and over). */
export function addressOf(name: string): string {
  let hash = 0x811c9dc5;
  let digits = '';
  for (let round = 0; digits.length < 40; round++) {
    for (const letter of `${name}${round}`) {
      hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
    }
    digits += hash.toString(16).padStart(8, '0');
  }
  return `0x${digits.slice(0, 40)}`;
}

/** Someone with a handle. */
/** Names as the engine returns them to the interface, without invisible characters. */
export function person(
  handle: string,
  displayName: string | null = null,
  part: Partial<Person> = {},
): Person {
  const name = toLabel(displayName ?? '') || null;
  return {
    address: addressOf(handle),
    handle,
    displayName: name,
    nickname: null,
    handleVerified: false,
    picture: null,
    ...part,
  };
}

export const echo = person('echo', 'Echo', { handleVerified: true });
export const ann = person('ann', 'Ann Archer');
export const ben = person('ben', 'Ben Okafor', { handleVerified: true });
export const chen = person('chen', '陈美玲');
export const dana = person('dana', 'دانا الخطيب');
export const stranger: Person = {
  address: addressOf('stranger'),
  handle: null,
  displayName: null,
  nickname: null,
  handleVerified: false,
  picture: null,
};
