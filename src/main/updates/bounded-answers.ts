/**
 * Limits the size of electron-updater's downloads, and the wait for their parts. It would read a manifest of any length into memory,
 * and write a package of any length to the disk before checking its hash. Its own limit of the wait needs an event that requests of
 * Electron do not have, so a silent server would leave the app at _Downloading_ until its next start.
 */
import type { RequestOptions } from 'node:http';
import { Failure } from '../../base/failure.ts';

/** Size limit of a manifest and of its signature, in bytes. Ours have about one kilobyte. */
const MAX_MANIFEST = 256 * 1024;
/** Size limit of a package, in bytes: several times the usual size. */
const MAX_PACKAGE = 1024 ** 3;

/** The longest wait for an answer or for its next part, in milliseconds. */
const MAX_SILENCE = 60_000;

interface Answer {
  on(event: 'data', listener: (part: { length: number }) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
}

interface Request {
  on(event: 'close', listener: () => void): unknown;
  emit(event: 'error', error: Error): unknown;
  abort(): void;
}

/** The part of electron-updater's ElectronHttpExecutor for all requests. */
export interface RequestingExecutor {
  createRequest(options: RequestOptions, callback: (answer: Answer) => void): Request;
}

/** Changes the executor in place. */
export function boundAnswers(executor: RequestingExecutor): void {
  const create = executor.createRequest.bind(executor);
  executor.createRequest = (options, callback) => {
    const isManifest = /\.yml(?:\.sig)?(?:\?|$)/.test(options.path ?? '');
    const most = isManifest ? MAX_MANIFEST : MAX_PACKAGE;
    const request = create(options, (answer) => {
      callback(answer);
      let length = 0;
      silence.refresh();
      answer.on('data', (part) => {
        silence.refresh();
        const before = length;
        length += part.length;
        if (length > most && before <= most) fail('update_answer_long');
      });
      answer.on('end', () => clearTimeout(silence));
    });
    const fail = (reason: 'update_answer_long' | 'update_server_unreachable') => {
      clearTimeout(silence);
      request.emit('error', new Failure(reason));
      request.abort();
    };
    const silence = setTimeout(() => fail('update_server_unreachable'), MAX_SILENCE).unref();
    request.on('close', () => clearTimeout(silence));
    return request;
  };
}
