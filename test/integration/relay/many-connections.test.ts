/** All clients of a relay that reconnect at once, as after a restart. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { TestRelay } from '../../support/relay.ts';
import { startProcess } from '../../support/relay-child.ts';

const CLIENTS = 1_000;

/** The limit of the system, or 0 where it is unknown. */
function systemLimit(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}

// A stopped process accepts nothing: the system completes as many connections as the relay requested.
test.skipIf(systemLimit() < CLIENTS)(
  'a busy relay refuses none of 1,000 simultaneous connections',
  async () => {
    await using relay = await new TestRelay().start();
    const { port } = new URL(relay.url);
    await relay.stop();
    const child = await startProcess(relay.folder.path, port);
    onTestFinished(() => void child.kill('SIGKILL'));
    child.kill('SIGSTOP');
    const sockets = Array.from({ length: CLIENTS }, () => connect(Number(port), '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    child.kill('SIGCONT');
    const answers = await Promise.all(
      sockets.map(async (socket) => {
        socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
        const [answer] = (await once(socket, 'data')) as [Buffer];
        socket.destroy();
        return answer.toString('latin1').slice(0, 12);
      }),
    );
    expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200']));
  },
);
