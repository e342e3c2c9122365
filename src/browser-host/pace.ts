/**
 * How fast a page may talk.
 */
import type { RawData, WebSocket } from 'ws';

/** More than the interface ever needs; what is over it waits, so that a person notices nothing but a delay. */
const MOST_MESSAGES_A_SECOND = 50;
const SECOND = 1_000;

/**
 * Hands on a socket's messages in their order, so many in any second. While some wait, nothing more is read, so that
 * what waits is no more than what has come already.
 */
export function takePaced(client: WebSocket, take: (frame: RawData) => void): void {
  const waiting: RawData[] = [];
  /** When the latest were taken. */
  const taken: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    timer = undefined;
    while (client.readyState === client.OPEN && waiting.length > 0) {
      const now = performance.now();
      const free = taken.length < MOST_MESSAGES_A_SECOND ? now : (taken[0] ?? 0) + SECOND;
      if (free > now) {
        client.pause();
        timer = setTimeout(run, Math.ceil(free - now));
        return;
      }
      taken.push(now);
      if (taken.length > MOST_MESSAGES_A_SECOND) taken.shift();
      take(waiting.shift() as RawData);
    }
    // What a socket said that is being closed, nobody hears. Only read can it say goodbye.
    waiting.length = 0;
    client.resume();
  };
  client.on('message', (frame) => {
    waiting.push(frame);
    if (timer === undefined) run();
  });
  client.once('close', () => clearTimeout(timer));
}
