import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../../src/base/failure.ts';
import { boundAnswers, type RequestingExecutor } from '../../../../src/main/updates/bounded-answers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request of a package, the function that answers it, and its failures. */
function start() {
  const request = Object.assign(new EventEmitter(), { abort: vi.fn() });
  const answer = new EventEmitter();
  let answerIt = () => {};
  const executor: RequestingExecutor = {
    createRequest(_options, callback) {
      answerIt = () => callback(answer);
      return request;
    },
  };
  boundAnswers(executor);
  executor.createRequest({ path: '/Waxwing-2.0.0-x64.exe' }, () => {});
  const failures: unknown[] = [];
  request.on('error', (error) => failures.push(error instanceof Failure ? error.data.code : error));
  return { request, answer, failures, answerIt: () => answerIt() };
}

test('a request without an answer fails after a minute', () => {
  const { request, failures } = start();
  vi.advanceTimersByTime(59_000);
  expect(failures).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(failures).toEqual(['update_server_unreachable']);
  expect(request.abort).toHaveBeenCalledOnce();
});

test('each part of an answer begins another minute, and its end stops it', () => {
  const { answer, failures, answerIt } = start();
  vi.advanceTimersByTime(59_000);
  answerIt();
  for (let part = 0; part < 3; part++) {
    vi.advanceTimersByTime(59_000);
    answer.emit('data', Buffer.alloc(1));
  }
  vi.advanceTimersByTime(59_000);
  answer.emit('end');
  vi.advanceTimersByTime(120_000);
  expect(failures).toEqual([]);
});

test('an answer that stops half way fails', () => {
  const { answer, failures, answerIt } = start();
  answerIt();
  answer.emit('data', Buffer.alloc(1));
  vi.advanceTimersByTime(60_000);
  expect(failures).toEqual(['update_server_unreachable']);
});

test('a closed request has no wait', () => {
  const { request, failures } = start();
  request.emit('close');
  vi.advanceTimersByTime(120_000);
  expect(failures).toEqual([]);
});
