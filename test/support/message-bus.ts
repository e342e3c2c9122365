/** A private message bus, and programs on it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { BUS } from '../../src/main/bus/connection.ts';
import { callBytes, METHOD_RETURN, type Message, readMessage, SIGNAL } from '../../src/main/bus/wire.ts';

export const hasBus =
  process.platform === 'linux' &&
  (process.env.PATH ?? '').split(delimiter).some((each) => existsSync(join(each, 'dbus-daemon')));

/** @param address where it listens: `unix:path=…` */
export async function startBus(address: string): Promise<{ address: string } & AsyncDisposable> {
  const bus = spawn('dbus-daemon', ['--session', '--nofork', `--address=${address}`, '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(createInterface({ input: bus.stdout }), 'line')) as [string];
  return { address: line, [Symbol.asyncDispose]: () => stop(bus) };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** The body of an answer: of one type, as the format names it. */
export interface Body {
  signature: string;
  bytes: Buffer;
}

export const NOTHING: Body = { signature: '', bytes: Buffer.alloc(0) };

/** One object path or one string. */
export function textBody(signature: 'o' | 's', text: string): Body {
  return { signature, bytes: string(text) };
}

/** A variant of one boolean. */
export function booleanVariant(value: boolean): Body {
  return { signature: 'v', bytes: Buffer.from([1, 0x62, 0, 0, Number(value), 0, 0, 0]) };
}

/** A program on the bus that answers calls and sends signals. */
export class BusProgram {
  /** Members that were requested, in order. */
  readonly requests: string[] = [];
  /** Its answers by member; a missing member has an empty answer. */
  readonly answers: Record<string, Body> = {};
  readonly #socket: Socket;
  #serial = 0;
  #received = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** @param name that it owns; null for none */
  static async start(address: string, name: string | null): Promise<BusProgram> {
    const socket = connect(/path=([^,]+)/.exec(address)?.[1] ?? '');
    const program = new BusProgram(socket);
    await once(socket, 'connect');
    socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.())).toString('hex')}\r\n`);
    await once(socket, 'data');
    socket.write('BEGIN\r\n');
    socket.on('data', (part: Buffer) => program.#receive(part));
    socket.write(callBytes(++program.#serial, { ...BUS, member: 'Hello' }));
    if (name !== null) await program.#own(name);
    return program;
  }

  /** @param destination unique name of the only recipient; null for all listeners */
  signal(
    path: string,
    of: string,
    member: string,
    body: Body = NOTHING,
    destination: string | null = null,
  ): void {
    this.#send(SIGNAL, body, [
      field(1, 'o', path),
      field(2, 's', of),
      field(3, 's', member),
      ...(destination === null ? [] : [field(6, 's', destination)]),
    ]);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Resolves once the bus has confirmed the ownership of the name. */
  async #own(name: string): Promise<void> {
    const flags = Buffer.alloc(4);
    const given = Buffer.concat([string(name), Buffer.alloc(-string(name).length & 3), flags]);
    const acquired = new Promise<void>((resolve) => {
      this.#onAcquired = (of) => of === name && resolve();
    });
    const { path, interface: of, destination } = BUS;
    this.#send(1, { signature: 'su', bytes: given }, [
      field(1, 'o', path),
      field(2, 's', of),
      field(3, 's', 'RequestName'),
      field(6, 's', destination),
    ]);
    await acquired;
  }

  #onAcquired: (name: string) => void = () => undefined;

  #receive(part: Buffer): void {
    this.#received = Buffer.concat([this.#received, part]);
    for (let next = readMessage(this.#received); next; next = readMessage(this.#received)) {
      const serial = this.#received.readUInt32LE(8);
      this.#received = this.#received.subarray(next.length);
      this.#answer(next.message, serial);
    }
  }

  #answer({ type, member, sender, body }: Message, serial: number): void {
    if (member === 'NameAcquired') this.#onAcquired(body.toString('utf8', 4, body.length - 1));
    if (type !== 1) return;
    this.requests.push(member);
    this.lastCaller = sender;
    const answer = this.answers[member];
    if (answer) this.#send(METHOD_RETURN, answer, [field(6, 's', sender), replyTo(serial)]);
  }

  /** The unique name of the program that asked last. */
  lastCaller = '';

  #send(type: number, { signature, bytes }: Body, fields: Buffer[]): void {
    const kind = Buffer.from([8, 1, 0x67, 0, signature.length, ...Buffer.from(signature), 0]);
    const all = signature === '' ? fields : [...fields, kind];
    const array = Buffer.concat(all.map((each, place) => (place < all.length - 1 ? padded(each) : each)));
    const head = Buffer.alloc(16);
    head.set([0x6c, type, 0, 1]);
    head.writeUInt32LE(bytes.length, 4);
    head.writeUInt32LE(++this.#serial, 8);
    head.writeUInt32LE(array.length, 12);
    this.#socket.write(Buffer.concat([padded(Buffer.concat([head, array])), bytes]));
  }
}

function field(code: number, type: string, text: string): Buffer {
  return Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), string(text)]);
}

function replyTo(serial: number): Buffer {
  const bytes = Buffer.from([5, 1, 0x75, 0, 0, 0, 0, 0]);
  bytes.writeUInt32LE(serial, 4);
  return bytes;
}

function string(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(`${text}\0`)]);
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7)]);
