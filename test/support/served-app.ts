/** `waxwing serve` in its own process, called as its page calls it. */
import { once } from 'node:events';
import { createBirpc } from 'birpc';
import { WebSocket } from 'ws';
import type { Answer } from '../../src/bridge/failure.ts';
import { messagesIn } from './browser-host.ts';
import type { Callable } from './engine.ts';
import { RunningCommand, type Surroundings } from './waxwing-command.ts';

interface Host {
  call(name: string, input: unknown): Promise<Answer<unknown>>;
}

export class ServedApp implements Callable, AsyncDisposable {
  readonly #command: RunningCommand;
  readonly #rpc: Host;

  private constructor(command: RunningCommand, socket: WebSocket) {
    this.#command = command;
    this.#rpc = createBirpc<Host, object>(
      { event: () => undefined },
      {
        post: (message) => socket.send(JSON.stringify(message)),
        on: (listener) =>
          socket.on('message', (frame: Buffer) => {
            for (const message of messagesIn(frame)) listener(message);
          }),
        timeout: -1,
      },
    );
  }

  static async start(folder: string, surroundings: Surroundings): Promise<ServedApp> {
    const command = new RunningCommand(['serve', '--data', folder], surroundings);
    const ended = command.end().then(({ stderr }) => {
      throw new Error(`waxwing serve ended: ${stderr}`);
    });
    await Promise.race([command.prints(/http:\S+#/), ended]);
    ended.catch(() => undefined);
    const { origin, host, hash } = new URL(/http:\S+/.exec(command.stdout)?.[0] ?? '');
    const exchanged = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ token: hash.slice(1) }),
    });
    const { bearer } = (await exchanged.json()) as { bearer: string };
    const socket = new WebSocket(`ws://${host}/bridge`, { origin });
    await once(socket, 'open');
    socket.send(bearer);
    await once(socket, 'message');
    return new ServedApp(command, socket);
  }

  call(name: string, input: unknown): Promise<Answer<unknown>> {
    return this.#rpc.call(name, input);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#command[Symbol.asyncDispose]();
  }
}
