/** The name by which a person is shown. */

import { toSearchText } from './search-text.ts';

/** A short form of an address: `0x1234…abcd`. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

export interface Named {
  /** In the form that is shown. */
  address: string;
  handle: string | null;
  displayName: string | null;
  /** The person's own name for them. */
  nickname?: string | null;
}

/** The nickname, else the display name, else the handle, else the short address. */
export function personName({ address, handle, displayName, nickname }: Named): string {
  return nickname || displayName || (handle ? `@${handle}` : shortAddress(address));
}

/** The handle, or the short address if the name is already the handle. For the second line under a name. */
export function personSubtitle(person: Named): string {
  return (person.nickname || person.displayName) && person.handle
    ? `@${person.handle}`
    : shortAddress(person.address);
}

/** Reports whether two names look alike: regardless of letter case, accents and invisible characters. */
export function areSameNames(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

/** Reports whether another one of some people has the name of a person. */
export type HasNamesake = (person: Named) => boolean;

/** Compares the names of people with those of a list, which are read once. */
export function namesakesIn(people: readonly Named[]): HasNamesake {
  /** The address of the only person with a name, or null if several have it. */
  const byName = new Map<string, string | null>();
  for (const person of people) {
    const key = nameKey(personName(person));
    const known = byName.get(key);
    byName.set(key, known === undefined || known === person.address ? person.address : null);
  }
  return (person) => {
    const known = byName.get(nameKey(personName(person)));
    return known !== undefined && known !== person.address;
  };
}

/** Invisible characters, of which search compares some. Not the joiner: with it, emoji look different. */
const INVISIBLE = /(?!\u200d)\p{Default_Ignorable_Code_Point}/gu;
/** The empty cell of Braille, which looks like a space. */
const EMPTY_CELL = /\u2800/g;

/** The form in which names that look alike are equal. Several spaces are shown as one. */
const nameKey = (name: string) =>
  toSearchText(name).replace(INVISIBLE, '').replace(EMPTY_CELL, ' ').replace(/ +/g, ' ').trim();
