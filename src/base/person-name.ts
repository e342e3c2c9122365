/** The name by which a person is shown. */

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
