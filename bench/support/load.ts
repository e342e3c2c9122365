/**
 * Load over raw sockets: each connection sends a request, reads the answer, sends the next. It needs far less of the processor
 * than an HTTP client, so that the server is measured.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface LoadResult {
  requestsPerSecond: number;
  /** 99th percentile of the time to an answer, in milliseconds. */
  p99: number;
}

/**
 * Runs a load for some seconds.
 * @param nextRequest the bytes of the next request, head and body
 * @throws Error if an answer has another status than 200 or 201
 */
export async function runLoad(
  port: number,
  connections: number,
  seconds: number,
  nextRequest: () => Buffer,
): Promise<LoadResult> {
  const latencies: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const lanes = Array.from({ length: connections }, async () => {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    while (performance.now() < end) {
      const sentAt = performance.now();
      const answered = readAnswer(socket);
      socket.write(nextRequest());
      await answered;
      latencies.push(performance.now() - sentAt);
    }
    socket.destroy();
  });
  await Promise.all(lanes);
  const elapsed = (performance.now() - begin) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: latencies.length / elapsed,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}

function readAnswer(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let received = '';
  let expected = Number.POSITIVE_INFINITY;
  const onData = (chunk: Buffer) => {
    received += chunk.toString('latin1');
    const head = received.indexOf('\r\n\r\n');
    if (head >= 0 && expected === Number.POSITIVE_INFINITY) {
      expected = head + 4 + Number(/content-length: (\d+)/i.exec(received)?.[1]);
    }
    if (received.length < expected) return;
    socket.off('data', onData);
    if (/^HTTP\/1\.1 20[01] /.test(received)) resolve();
    else reject(new Error(received));
  };
  socket.on('data', onData);
  return promise;
}
