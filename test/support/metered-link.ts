/** A network between clients and a relay that a test cuts after a number of bytes. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Direction: from the clients, or to them. */
export type Direction = 'up' | 'down';

export class MeteredLink {
  /** Port of the relay behind. */
  target = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #mark: { direction: Direction; left: number; reached: () => void } | null = null;
  /** No byte passes between a mark and the cut. */
  #isStill = false;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (client) => this.#join(client));
  }

  static async start(): Promise<MeteredLink> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new MeteredLink(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Stops after these bytes, counted from now. Resolves when they have passed. */
  async pauseAfter(direction: Direction, bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#mark = { direction, left: bytes, reached: resolve };
    await promise;
  }

  /** Ends all connections. New ones work. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#isStill = false;
  }

  #join(client: Socket): void {
    if (this.#isStill) {
      client.destroy();
      return;
    }
    const relay = connect(this.target, '127.0.0.1');
    this.#pass(client, relay, 'up');
    this.#pass(relay, client, 'down');
  }

  #pass(from: Socket, to: Socket, direction: Direction): void {
    this.#sockets.add(from);
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    from.on('drain', () => to.resume());
    from.on('data', (piece: Buffer) => {
      const passed = this.#count(piece, direction);
      if (passed.length > 0 && !to.write(passed)) from.pause();
    });
  }

  #count(piece: Buffer, direction: Direction): Buffer {
    if (this.#isStill) return Buffer.alloc(0);
    const mark = this.#mark;
    if (mark?.direction !== direction) return piece;
    const passed = piece.subarray(0, mark.left);
    mark.left -= passed.length;
    if (mark.left === 0) {
      this.#isStill = true;
      this.#mark = null;
      mark.reached();
    }
    return passed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
