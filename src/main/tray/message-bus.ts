/**
 * Asks the message bus of the person's session on Linux, in the wire format of the D-Bus Specification, 'Message Protocol'.
 */
import { connect } from 'node:net';
// Not by its name: on Windows there is no such export, and the app would not start.
import process from 'node:process';

const BUS = 'org.freedesktop.DBus';
/** Of the whole conversation, in milliseconds. The bus is on this computer and answers within one. */
const PATIENCE = 1_000;
/** Of what the bus says, in bytes. It says less than one kilobyte. */
const MOST = 16 * 1024;
const METHOD_RETURN = 2;

/**
 * Whether a program owns a name. False if there is no bus, or it does not answer.
 * @param address of the bus, as in DBUS_SESSION_BUS_ADDRESS
 */
export async function isNameOwned(address: string, name: string): Promise<boolean> {
  for (const path of socketsIn(address)) {
    const owned = await askOwned(path, name).catch(() => null);
    if (owned !== null) return owned;
  }
  return false;
}

/** The sockets that an address names, as in `unix:path=/run/user/1000/bus,guid=…;unix:abstract=bus-of-ann`. */
function socketsIn(address: string): string[] {
  return address.split(';').flatMap((each) => {
    const [, kind, value] = /^unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(each) ?? [];
    if (value === undefined) return [];
    const path = value.replace(/%([0-9a-f]{2})/gi, (_escape, byte) =>
      String.fromCharCode(Number.parseInt(byte, 16)),
    );
    return [kind === 'abstract' ? `\0${path}` : path];
  });
}

/** Whether anybody owns a name on a bus. */
function askOwned(path: string, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new Error('the bus does not answer'))), PATIENCE);
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error('the bus has closed'))));
    socket.on('connect', () => {
      const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
      socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
    });
    let heard = Buffer.alloc(0);
    let isLetIn = false;
    socket.on('data', (part: Buffer) => {
      heard = Buffer.concat([heard, part]);
      if (heard.length > MOST) return end(() => reject(new Error('the bus says too much')));
      if (!isLetIn) {
        const line = heard.indexOf('\r\n');
        if (line === -1) return;
        if (!heard.toString('latin1').startsWith('OK ')) return end(() => reject(new Error('not let in')));
        isLetIn = true;
        heard = heard.subarray(line + 2);
        socket.write('BEGIN\r\n');
        socket.write(callOf(1, 'Hello'));
        socket.write(callOf(2, 'NameHasOwner', name));
      }
      // The first answer is our own name on the bus; signals stand between them.
      const [, answer] = messagesIn(heard).filter(({ type }) => type === METHOD_RETURN);
      if (answer) end(() => resolve(answer.body.length >= 4 && answer.body.readUInt32LE() === 1));
    });
  });
}

/** A call of the bus itself, with one string or nothing. Little-endian; every part begins where the format wants it. */
function callOf(serial: number, member: string, argument?: string): Buffer {
  const body = argument === undefined ? Buffer.alloc(0) : stringOf(argument);
  const fields = [
    fieldOf(1, 'o', '/org/freedesktop/DBus'),
    fieldOf(2, 's', BUS),
    fieldOf(3, 's', member),
    fieldOf(6, 's', BUS),
    ...(argument === undefined ? [] : [Buffer.from([8, 1, 0x67, 0, 1, 0x73, 0])]),
  ];
  const array = Buffer.concat(
    fields.map((field, index) => (index < fields.length - 1 ? padded(field) : field)),
  );
  const head = Buffer.alloc(16);
  // 'l' for little-endian, a method call, no flags, version 1.
  head.set([0x6c, 1, 0, 1]);
  head.writeUInt32LE(body.length, 4);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(array.length, 12);
  return Buffer.concat([padded(Buffer.concat([head, array])), body]);
}

/** A field of the header: its number, and a variant of one character's type. */
function fieldOf(code: number, type: string, text: string): Buffer {
  return Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), stringOf(text)]);
}

function stringOf(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length - 1);
  return Buffer.concat([length, bytes]);
}

const paddedLength = (length: number) => Math.ceil(length / 8) * 8;
const padded = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc(paddedLength(bytes.length) - bytes.length)]);

/** The whole messages at the beginning of what was heard. A bus answers in the order of the machine's bytes. */
function messagesIn(heard: Buffer): { type: number; body: Buffer }[] {
  const messages: { type: number; body: Buffer }[] = [];
  let at = 0;
  while (heard.length - at >= 16 && heard[at] === 0x6c) {
    const start = at + paddedLength(16 + heard.readUInt32LE(at + 12));
    const end = start + heard.readUInt32LE(at + 4);
    if (end > heard.length) break;
    messages.push({ type: heard[at + 1] ?? 0, body: heard.subarray(start, end) });
    at = end;
  }
  return messages;
}
