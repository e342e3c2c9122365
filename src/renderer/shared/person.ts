import { type Named, shortAddress } from '../../base/person-name.ts';
import { toSearchText } from '../../base/search-text.ts';

/** The public name of a person, without the nickname, which is private. Without the sign before a handle. */
export function publicName({ displayName, handle, address }: Named): string {
  return displayName || handle || shortAddress(address);
}

/** Reports whether a text is part of a person's handle, display name or nickname. */
export function isCalled({ handle, displayName, nickname }: Named, text: string): boolean {
  const wanted = toSearchText(text.replace(/^@/, ''));
  return [handle, displayName, nickname].some((name) => name && toSearchText(name).includes(wanted));
}

/**
 * Reports whether a text matches a person's handle, which is unique. A display name may be copied from someone else.
 */
export function isFoundByHandle({ handle }: Named, text: string): boolean {
  return handle?.includes(text.trim().replace(/^@/, '').toLowerCase()) ?? false;
}

/** One or two letters for an avatar; empty if only an address is known. */
export function initials(person: Named): string {
  return initialsOf(person.nickname?.trim() || person.displayName?.trim() || person.handle || '');
}

/** One or two letters of a name: of its first word and its last. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_]+/).filter((word) => /\p{L}|\p{N}/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(firstLetter).join('');
  return letters.toLocaleUpperCase();
}

function firstLetter(word: string | undefined): string {
  return word?.match(/\p{L}|\p{N}/u)?.[0] ?? '';
}

export const avatarHues = 12;

/** The avatar colour of an address: the same on every device, regardless of letter case. */
export function avatarHue(address: string): number {
  let hash = 0;
  for (const character of address.toLowerCase()) {
    hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % avatarHues;
}
