/**
 * A port for a server that a test stops and starts again.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * A free port outside of the system's range for automatic assignment, so that no other test gets it while a
 * relay or host of this test is stopped.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    const listening = once(server, 'listening');
    server.listen(randomInt(15_000, 30_000), '127.0.0.1');
    try {
      await listening;
    } catch {
      // Taken.
      continue;
    }
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }
}
