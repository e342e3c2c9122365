/** Conversion between wire forms and columns: addresses, ids and keys are stored as bytes. */

/** The 20 bytes of a wire address. */
export function addressToBlob(address: string): Buffer {
  return Buffer.from(address.slice(2), 'hex');
}

export function blobToAddress(blob: Buffer): string {
  return `0x${blob.toString('hex')}`;
}

/** An address in the form of {@link blobToAddress}, regardless of the case of its letters. */
export function wireAddress(address: string): string {
  return address.toLowerCase();
}

/** The bytes of an id or key in base64url. */
export function toBlob(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

export function toText(blob: Buffer): string {
  return blob.toString('base64url');
}
