import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { limitRate } from '../../../src/browser-host/rate-limit.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A socket that forwards its data, unless it is paused. */
class SocketDouble extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  isPaused = false;
  readonly accepted: number[] = [];
  #count = 0;

  constructor() {
    super();
    // The used part of a socket: test/integration/browser-host/limits.test.ts has real ones.
    limitRate(this as unknown as WebSocket, (frame) => this.accepted.push(Number(frame)));
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  /** Frames that have already arrived are delivered also while it is paused. */
  send(count: number): void {
    for (let index = 0; index < count; index++) this.emit('message', Buffer.from(`${this.#count++}`));
  }
}

test('B7: accepts fifty messages at once, the next a second after the first, in order', () => {
  const socket = new SocketDouble();
  socket.send(120);
  expect(socket.accepted).toHaveLength(50);
  expect(socket.isPaused).toBe(true);
  vi.advanceTimersByTime(999);
  expect(socket.accepted).toHaveLength(50);
  vi.advanceTimersByTime(1);
  expect(socket.accepted).toHaveLength(100);
  vi.advanceTimersByTime(1_000);
  expect(socket.accepted).toEqual(Array.from({ length: 120 }, (_, index) => index));
  expect(socket.isPaused).toBe(false);
});

test('B7: a page that stays below the limit never waits', () => {
  const socket = new SocketDouble();
  for (let second = 0; second < 20; second++) {
    socket.send(49);
    expect(socket.accepted).toHaveLength(49 * (second + 1));
    vi.advanceTimersByTime(1_000);
  }
  expect(socket.isPaused).toBe(false);
});

test('B7: drops messages of a closing socket, which still receives its close frame', () => {
  const socket = new SocketDouble();
  socket.send(60);
  socket.readyState = 2;
  vi.advanceTimersByTime(2_000);
  expect(socket.accepted).toHaveLength(50);
  expect(socket.isPaused).toBe(false);
});

test('B7: a closed socket leaves no timer', () => {
  const socket = new SocketDouble();
  socket.send(60);
  socket.emit('close');
  expect(vi.getTimerCount()).toBe(0);
});
