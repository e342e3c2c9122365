/** Name of a person in the engine's sentences. */
import { toChecksumAddress } from '../../protocol/address.ts';
import type { StoredPerson } from '../cache/conversations.ts';

/** The nickname, else the display name, else the handle, else the short address. */
export function personName({ address, handle, displayName, nickname }: StoredPerson): string {
  if (nickname) return nickname;
  if (displayName) return displayName;
  if (handle) return `@${handle}`;
  const text = toChecksumAddress(address);
  return `${text.slice(0, 6)}…${text.slice(-4)}`;
}
