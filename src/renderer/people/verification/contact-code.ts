/** Prefix of an address's QR code: a link that opens nothing by itself. */
const PREFIX = 'waxwing:contact/';

/** The contents of an address's code. */
export function contactCode(address: string): string {
  return PREFIX + address;
}

/** The address in a code, or in a text; null for none. */
export function addressInCode(text: string): string | null {
  const [, address] = /^(?:waxwing:contact\/)?(0x[0-9a-f]{40})$/i.exec(text.trim()) ?? [];
  return address ?? null;
}

/** The text without the prefix of a code, as of a link that was copied: its address, complete or not. */
export function withoutCodePrefix(text: string): string {
  const trimmed = text.trim();
  return trimmed.toLowerCase().startsWith(PREFIX) ? trimmed.slice(PREFIX.length) : trimmed;
}

/** Reports whether two texts are the same address. The case of letters is only its checksum. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
