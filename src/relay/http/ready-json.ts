/**
 * An answer that was made into JSON before: of a size that takes long to make, and so is made elsewhere.
 */
export class ReadyJson {
  readonly bytes: Uint8Array;

  /** @param bytes JSON in UTF-8 */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The fields of an object, and those of another that is made into JSON already. No name is in both. */
  static join(fields: object, more: Uint8Array): ReadyJson {
    const head = Buffer.from(JSON.stringify(fields).slice(0, -1));
    const comma = Object.keys(fields).length > 0 ? ',' : '';
    return new ReadyJson(Buffer.concat([head, Buffer.from(comma), more.subarray(1)]));
  }
}
