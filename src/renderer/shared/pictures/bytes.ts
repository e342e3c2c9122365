/** Reading numbers and names of four letters from file headers. Beyond the end, numbers are 0 and names shorter. */

export type Bytes = Uint8Array<ArrayBuffer>;

export const u16be = (bytes: Bytes, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
export const u16le = (bytes: Bytes, at: number) => ((bytes[at + 1] ?? 0) << 8) | (bytes[at] ?? 0);
export const u24le = (bytes: Bytes, at: number) => u16le(bytes, at) | ((bytes[at + 2] ?? 0) << 16);
export const u32be = (bytes: Bytes, at: number) => u16be(bytes, at) * 0x1_0000 + u16be(bytes, at + 2);
export const u32le = (bytes: Bytes, at: number) => u16le(bytes, at + 2) * 0x1_0000 + u16le(bytes, at);

/** Characters of one byte. */
export function letters(bytes: Bytes, at: number, count = 4): string {
  return String.fromCharCode(...bytes.subarray(at, at + count));
}

export function joined(parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
