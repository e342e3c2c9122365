/** Work as an answer across threads: its failure is data. */
import { Failure, type FailureData } from '../base/failure.ts';
import { toFailure } from '../base/log.ts';
import type { Answer } from '../bridge/failure.ts';

/** Codes of the system and of SQLite for a full disk or an exhausted quota. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FULL.has(error.code);
}

/** The failure of an error, as data. A full disk is expected. */
export function failureOf(error: unknown): FailureData {
  return (isDiskFull(error) ? new Failure('disk_full') : toFailure(error)).data;
}

export async function answerOf<T>(work: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}
