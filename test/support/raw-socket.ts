/**
 * WebSocket frames as no library would write them, and connections that are cut off.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

export interface RawFrame {
  fin?: boolean;
  /** The three reserved bits: 0 to 7. */
  reserved?: number;
  opcode: number;
  payload?: Buffer;
  /** Frames of a page are masked. */
  masked?: boolean;
  /** The length that the frame claims to have. */
  claims?: number;
}

export const TEXT = 1;
export const CONTINUATION = 0;
export const PING = 9;

/** The bytes of a frame. */
export function frameBytes({
  fin = true,
  reserved = 0,
  opcode,
  payload = Buffer.alloc(0),
  masked = true,
  claims = payload.length,
}: RawFrame): Buffer {
  const first = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  const bit = masked ? 0x80 : 0;
  const length =
    claims < 126
      ? Buffer.from([first, bit | claims])
      : claims < 65_536
        ? Buffer.from([first, bit | 126, claims >> 8, claims & 255])
        : Buffer.concat([Buffer.from([first, bit | 127]), bigLength(claims)]);
  if (!masked) return Buffer.concat([length, payload]);
  const mask = randomBytes(4);
  return Buffer.concat([length, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

function bigLength(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/**
 * Waits until a connection is closed. If it is cut off with unread data it is reset, which emits an error before
 * `close`; `once` of node:events would reject.
 */
export function closing(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** All data that the host sends until it ends the connection. */
export async function readToEnd(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await closing(socket);
  return Buffer.concat(parts);
}

/** The code of the last close frame in a host's data, which is unmasked; null if there is none. */
export function closeCodeIn(bytes: Buffer): number | null {
  // Its answer to the handshake ends with an empty line.
  let at = bytes.indexOf('\r\n\r\n') + 4;
  let code: number | null = null;
  while (at + 2 <= bytes.length) {
    const short = (bytes[at + 1] ?? 0) & 127;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    const length =
      short === 126
        ? bytes.readUInt16BE(at + 2)
        : short === 127
          ? Number(bytes.readBigUInt64BE(at + 2))
          : short;
    if (((bytes[at] ?? 0) & 15) === 8 && length >= 2) code = bytes.readUInt16BE(at + head);
    at += head + length;
  }
  return code;
}
