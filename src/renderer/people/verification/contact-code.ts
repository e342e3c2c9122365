/** What a QR code of an address says: a link that opens nothing by itself. */
const PREFIX = 'waxwing:contact/';

/** What the code of an address says. */
export function contactCode(address: string): string {
  return PREFIX + address;
}

/** The address in a code, or in a text that someone sent; null if there is none. */
export function addressInCode(text: string): string | null {
  const [, address] = /^(?:waxwing:contact\/)?(0x[0-9a-f]{40})$/i.exec(text.trim()) ?? [];
  return address ?? null;
}

/** Whether two texts are the same address. Its letters may be in either case: that is only its checksum. */
export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
