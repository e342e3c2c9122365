/**
 * Messages of the D-Bus Specification, 'Message Protocol', as far as the app needs them: calls with strings, and answers and
 * signals in the order of this machine's bytes.
 */

export const METHOD_RETURN = 2;
export const ERROR = 3;
export const SIGNAL = 4;

/** Of one message, in bytes. What the app asks for is smaller than one kilobyte. */
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
  /** Of the call that it answers; 0 if it answers none. */
  replySerial: number;
  path: string;
  interface: string;
  member: string;
  /** As the bus writes it, which no other program can. */
  sender: string;
  body: Buffer;
}

/** Numbers of the header's fields, and the types of those that are read. */
const FIELDS = { 1: 'path', 2: 'interface', 3: 'member', 7: 'sender' } as const;
const REPLY_SERIAL = 5;
const SIGNATURE = 8;
/** Of the header before its fields, in bytes. */
const HEAD = 16;

/** The bytes of a call. Little-endian; every part begins where the format wants it. */
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
 * The first message of what was heard.
 * @returns null if it is not whole yet
 * @throws RangeError if it is none, or larger than {@link LARGEST}
 */
export function readMessage(heard: Buffer): { message: Message; length: number } | null {
  if (heard.length < HEAD) return null;
  const start = padded(HEAD + heard.readUInt32LE(12), 8);
  const length = start + heard.readUInt32LE(4);
  if (heard[0] !== 0x6c || length > LARGEST) throw new RangeError('no message of the bus');
  if (heard.length < length) return null;
  const body = heard.subarray(start, length);
  const message = {
    type: heard[1] ?? 0,
    replySerial: 0,
    path: '',
    interface: '',
    member: '',
    sender: '',
    body,
  };
  const fields = heard.subarray(0, HEAD + heard.readUInt32LE(12));
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
 * The strings of a body that has nothing else.
 * @throws RangeError if it has something else
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

/** A field of the header: its number, and a variant of one letter's type. */
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

/** Each begins at a multiple. */
function joined(parts: readonly Buffer[], multiple: number): Buffer {
  let all = Buffer.alloc(0);
  for (const part of parts)
    all = Buffer.concat([all, Buffer.alloc(padded(all.length, multiple) - all.length), part]);
  return all;
}

const padded = (length: number, multiple: number) => Math.ceil(length / multiple) * multiple;
