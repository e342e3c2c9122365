/** An answer that is JSON already: it was too long to serialize on this thread. */
export class ReadyJson {
  readonly bytes: Uint8Array;

  /** @param bytes JSON in UTF-8 */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Merges the fields of an object with an object that is JSON already. They share no field name. */
  static join(fields: object, more: Uint8Array): ReadyJson {
    const head = Buffer.from(JSON.stringify(fields).slice(0, -1));
    const comma = Object.keys(fields).length > 0 ? ',' : '';
    return new ReadyJson(Buffer.concat([head, Buffer.from(comma), more.subarray(1)]));
  }
}
