/**
 * A connection to a message bus of Linux (D-Bus Specification).
 */
import { connect, type Socket } from 'node:net';
// Not by its name: Windows has no such export, and the app would not start.
import process from 'node:process';
import {
  type Call,
  callBytes,
  ERROR,
  LARGEST,
  METHOD_RETURN,
  type Message,
  readMessage,
  SIGNAL,
} from './wire.ts';

/** The bus itself. */
export const BUS = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
};

/** Longest wait for an answer, in milliseconds. The bus is on this computer and answers within one. */
const PATIENCE = 1_000;

export class BusConnection {
  /** Resolves when the connection has ended, for any reason. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: Message | null) => void>();
  readonly #onSignal: (signal: Message) => void;
  #received = Buffer.alloc(0);
  #onAccepted: (() => void) | null = null;
  #serial = 0;

  private constructor(path: string, onSignal: (signal: Message) => void) {
    const socket = connect(path);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#socket = socket;
    this.#onSignal = onSignal;
    // After an error it closes.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      for (const settle of this.#waiting.values()) settle(null);
      this.#waiting.clear();
      resolve();
    });
    socket.on('data', (part: Buffer) => this.#receive(part));
  }

  /**
   * Connects to the first socket that accepts.
   * @param address of the bus, as in DBUS_SESSION_BUS_ADDRESS
   * @param onSignal called for every signal of the bus, from any sender
   * @returns null without a bus, or without an answer
   */
  static async open(
    address: string,
    onSignal: (signal: Message) => void = () => undefined,
  ): Promise<BusConnection | null> {
    for (const path of socketsIn(address)) {
      const connection = new BusConnection(path, onSignal);
      if (await connection.#begin()) return connection;
      connection.close();
    }
    return null;
  }

  /** @returns the body of the answer; null for an error, or without an answer in time */
  async call(call: Call): Promise<Buffer | null> {
    const serial = ++this.#serial;
    const answer = await this.#inTime<Message>((settle) => {
      this.#waiting.set(serial, settle);
      this.#socket.write(callBytes(serial, call));
    });
    this.#waiting.delete(serial);
    return answer?.type === METHOD_RETURN ? answer.body : null;
  }

  close(): void {
    this.#socket.destroy();
  }

  async #begin(): Promise<boolean> {
    const isAccepted = await this.#inTime<true>((settle) => {
      this.#onAccepted = () => settle(true);
      const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
      this.#socket.once('connect', () => this.#socket.write(`\0AUTH EXTERNAL ${uid}\r\n`));
    });
    if (!isAccepted) return false;
    this.#socket.write('BEGIN\r\n');
    return (await this.call({ ...BUS, member: 'Hello' })) !== null;
  }

  /** Null when the connection ends first, or after {@link PATIENCE}. */
  async #inTime<Value>(begin: (settle: (value: Value | null) => void) => void): Promise<Value | null> {
    const { promise, resolve } = Promise.withResolvers<Value | null>();
    const timer = setTimeout(() => resolve(null), PATIENCE);
    void this.closed.then(() => resolve(null));
    begin(resolve);
    return promise.finally(() => clearTimeout(timer));
  }

  #receive(part: Buffer): void {
    this.#received = Buffer.concat([this.#received, part]);
    try {
      if (this.#onAccepted) this.#readLine();
      if (!this.#onAccepted) this.#readMessages();
    } catch {
      // Invalid or too large messages end the connection.
      this.close();
    }
  }

  #readLine(): void {
    const line = this.#received.indexOf('\r\n');
    if (line === -1 ? this.#received.length > LARGEST : !this.#received.toString('latin1').startsWith('OK '))
      throw new RangeError('the bus refuses the login');
    if (line === -1) return;
    this.#received = this.#received.subarray(line + 2);
    this.#onAccepted?.();
    this.#onAccepted = null;
  }

  #readMessages(): void {
    for (let next = readMessage(this.#received); next; next = readMessage(this.#received)) {
      const { message, length } = next;
      this.#received = this.#received.subarray(length);
      if (message.type === SIGNAL) this.#onSignal(message);
      if (message.type === METHOD_RETURN || message.type === ERROR)
        this.#waiting.get(message.replySerial)?.(message);
    }
  }
}

/**
 * Reports whether a program owns a name. False without a bus, or without an answer.
 * @param address of the bus, as in DBUS_SESSION_BUS_ADDRESS
 */
export async function isNameOwned(address: string, name: string): Promise<boolean> {
  const bus = await BusConnection.open(address);
  if (!bus) return false;
  const answer = await bus.call({ ...BUS, member: 'NameHasOwner', arguments: [name] });
  bus.close();
  return answer?.length === 4 && answer.readUInt32LE() === 1;
}

/** The sockets of an address, as in `unix:path=/run/user/1000/bus,guid=…;unix:abstract=bus-of-ann`. */
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
