/**
 * The network of an office: a relay whose name only its proxy knows, behind TLS with a certificate of a private authority.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificate.ts';

abstract class Listener {
  protected readonly sockets = new Set<Socket>();
  protected abstract readonly server: Server;

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Joins two connections: each receives the data of the other, and they end together. */
  protected join(near: Socket, far: Socket): void {
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }

  /** Stops listening, and cuts open connections. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** A proxy that terminates TLS in front of a relay. */
export class TlsFront extends Listener {
  protected readonly server: Server;

  constructor({ certificateFile, keyFile }: Certificate, relayPort: number) {
    super();
    const files = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
    this.server = createTlsServer(files, (socket) => this.join(socket, connect(relayPort, '127.0.0.1')));
  }
}

/** A proxy that accepts only CONNECT, and connects to the same place for every host name. */
export class ConnectProxy extends Listener {
  /** Requested hosts, in order: `relay.example:443`. */
  readonly requests: string[] = [];
  /** The last received credentials; undefined for none. */
  credentials: string | undefined;
  /** Its answer when it refuses a connection. */
  refusal: number | null = null;
  protected readonly server = createServer();

  constructor(targetPort: number) {
    super();
    // With no listener for other methods than CONNECT, such a call is never answered, and fails the test.
    this.server.on('connect', ({ url = '', headers }, stream) => {
      const socket = stream as Socket;
      this.requests.push(url);
      this.credentials = headers['proxy-authorization'];
      if (this.refusal !== null)
        return socket.end(`HTTP/1.1 ${this.refusal} No\r\ncontent-length: 0\r\n\r\n`);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      this.join(socket, connect(targetPort, '127.0.0.1'));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }
}
