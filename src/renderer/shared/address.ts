/** The forty hexadecimal digits of an address in ten groups of four, for comparing visually or aloud. */
export function addressGroups(address: string): string[] {
  return address.slice(2).match(/.{1,4}/g) ?? [];
}

/** Reports whether a text is meant as an address, complete or not. */
export function looksLikeAddress(text: string): boolean {
  return /^0x[0-9a-f]*$/i.test(text.trim());
}

/** Reports whether a text has all the digits of an address. The engine checks its checksum. */
export function isCompleteAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text.trim());
}
