/**
 * A port for a server that a test stops and starts again.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * A port that was free a moment ago, out of those that a system gives nobody who does not ask for one of them: no test
 * beside this one gets it while a relay or host of this test is down.
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
