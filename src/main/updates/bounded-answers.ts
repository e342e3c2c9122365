/**
 * Limits the size of electron-updater's downloads. It would read a manifest of any length into memory, and
 * write a package of any length to the disk before checking its hash.
 */
import type { RequestOptions } from 'node:http';
import { Failure } from '../../base/failure.ts';

/** Size limit of a manifest and of its signature, in bytes. Ours have about one kilobyte. */
const MAX_MANIFEST = 256 * 1024;
/** Size limit of a package, in bytes: several times the usual size. */
const MAX_PACKAGE = 1024 ** 3;

interface Answer {
  on(event: 'data', listener: (part: { length: number }) => void): unknown;
}

interface Request {
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
      answer.on('data', (part) => {
        const before = length;
        length += part.length;
        if (length <= most || before > most) return;
        request.emit('error', new Failure('update_answer_long'));
        request.abort();
      });
    });
    return request;
  };
}
