/** Rate limit of a page's messages. */
import type { RawData, WebSocket } from 'ws';

/** More than the interface needs; further ones wait, which a person notices only as a delay. */
const MAX_MESSAGES_A_SECOND = 50;
const SECOND = 1_000;

/**
 * Passes on a socket's messages in order, limited per second. While some wait, nothing more is read, so that
 * only received ones wait.
 */
export function limitRate(client: WebSocket, receive: (frame: RawData) => void): void {
  const waiting: RawData[] = [];
  /** Times of the last messages. */
  const receivedAt: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    timer = undefined;
    while (client.readyState === client.OPEN && waiting.length > 0) {
      const now = performance.now();
      const free = receivedAt.length < MAX_MESSAGES_A_SECOND ? now : (receivedAt[0] ?? 0) + SECOND;
      if (free > now) {
        client.pause();
        timer = setTimeout(run, Math.ceil(free - now));
        return;
      }
      receivedAt.push(now);
      if (receivedAt.length > MAX_MESSAGES_A_SECOND) receivedAt.shift();
      receive(waiting.shift() as RawData);
    }
    // Messages of a closing socket are dropped. It must be read to receive its close frame.
    waiting.length = 0;
    client.resume();
  };
  client.on('message', (frame) => {
    waiting.push(frame);
    if (timer === undefined) run();
  });
  client.once('close', () => clearTimeout(timer));
}
