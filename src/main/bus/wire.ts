/**
 * Messages of the D-Bus Specification, 'Message Protocol', as far as the app uses them: calls with strings,
 * and answers and signals in this machine's byte order.
 */

export const METHOD_RETURN = 2;
export const ERROR = 3;
export const SIGNAL = 4;

/** Size limit of one message, in bytes. Real answers are smaller than one kilobyte. */
export const LARGEST = 16 * 1024;

export interface Call {
  destination: string;
  path: string;
  interface: string;
  member: string;
  /** All of them strings. */
  arguments?: readonly string[];
}

export interface Message {
  type: number;
  /** Serial of the answered call; 0 if it answers none. */
  replySerial: number;
  path: string;
  interface: string;
  member: string;
  /** Set by the bus, which no other program can do. */
  sender: string;
  body: Buffer;
}

/** Numbers of the header's fields, and the types of the used ones. */
const FIELDS = { 1: 'path', 2: 'interface', 3: 'member', 7: 'sender' } as const;
const REPLY_SERIAL = 5;
const SIGNATURE = 8;
/** Size of the header before its fields, in bytes. */
const HEAD = 16;

/** Encodes a call. Little-endian; every part is aligned as the format requires. */
export function callBytes(serial: number, call: Call): Buffer {
  const given = call.arguments ?? [];
  const body = joined(given.map(stringBytes), 4);
  const fields = joined(
    [
      fieldBytes(1, 'o', call.path),
      fieldBytes(2, 's', call.interface),
      fieldBytes(3, 's', call.member),
      fieldBytes(6, 's', call.destination),
      ...(given.length === 0 ? [] : [signatureBytes('s'.repeat(given.length))]),
    ],
    8,
  );
  const head = Buffer.alloc(HEAD);
  // 'l' for little-endian, a method call, no flags, version 1.
  head.set([0x6c, 1, 0, 1]);
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(fields.length, 12);
  return joined([Buffer.concat([head, fields]), body], 8);
}

/**
 * Reads the first message of the received bytes.
 * @returns null if it is incomplete
 * @throws RangeError if it is invalid, or larger than {@link LARGEST}
 */
export function readMessage(received: Buffer): { message: Message; length: number } | null {
  if (received.length < HEAD) return null;
  const start = padded(HEAD + received.readUInt32LE(12), 8);
  const length = start + received.readUInt32LE(4);
  if (received[0] !== 0x6c || length > LARGEST) throw new RangeError('no message of the bus');
  if (received.length < length) return null;
  const body = received.subarray(start, length);
  const message = {
    type: received[1] ?? 0,
    replySerial: 0,
    path: '',
    interface: '',
    member: '',
    sender: '',
    body,
  };
  const fields = received.subarray(0, HEAD + received.readUInt32LE(12));
  for (let at = HEAD; at < fields.length; at = padded(at, 8)) {
    const code = fields.readUInt8(at);
    const type = String.fromCharCode(fields.readUInt8(at + 2));
    // Code, the length of a signature, one letter and its end.
    at += 4;
    if (type === 'u') {
      if (code === REPLY_SERIAL) message.replySerial = fields.readUInt32LE(at);
      at += 4;
    } else if (type === 'g') at += fields.readUInt8(at) + 2;
    else {
      const text = readString(fields, at);
      if (code in FIELDS) message[FIELDS[code as keyof typeof FIELDS]] = text.value;
      at = text.end;
    }
  }
  return { message, length };
}

/**
 * The strings of a body with only strings.
 * @throws RangeError for any other body
 */
export function stringsIn(body: Buffer): string[] {
  const strings: string[] = [];
  for (let at = 0; at < body.length; ) {
    const { value, end } = readString(body, at);
    strings.push(value);
    at = padded(end, 4);
  }
  return strings;
}

function readString(bytes: Buffer, at: number): { value: string; end: number } {
  const end = at + 4 + bytes.readUInt32LE(at);
  if (end >= bytes.length) throw new RangeError('a string that does not end');
  return { value: bytes.toString('utf8', at + 4, end), end: end + 1 };
}

/** A header field: its number, and a variant with a one-letter type. */
function fieldBytes(code: number, type: string, text: string): Buffer {
  return Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), stringBytes(text)]);
}

function signatureBytes(signature: string): Buffer {
  return Buffer.from([SIGNATURE, 1, 0x67, 0, signature.length, ...Buffer.from(signature), 0]);
}

function stringBytes(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length - 1);
  return Buffer.concat([length, bytes]);
}

/** Aligns each part to a multiple. */
function joined(parts: readonly Buffer[], multiple: number): Buffer {
  let all = Buffer.alloc(0);
  for (const part of parts)
    all = Buffer.concat([all, Buffer.alloc(padded(all.length, multiple) - all.length), part]);
  return all;
}

const padded = (length: number, multiple: number) => Math.ceil(length / multiple) * multiple;
