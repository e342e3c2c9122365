/**
 * What a person is called in a sentence of the engine.
 */
import { toChecksumAddress } from '../../protocol/address.ts';
import type { StoredPerson } from '../cache/conversations.ts';

/** The nickname that the person gave them, else the display name, else the handle, else the short address. */
export function personName({ address, handle, displayName, nickname }: StoredPerson): string {
  if (nickname) return nickname;
  if (displayName) return displayName;
  if (handle) return `@${handle}`;
  const text = toChecksumAddress(address);
  return `${text.slice(0, 6)}…${text.slice(-4)}`;
}
