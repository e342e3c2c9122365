/** Work as an answer across threads: its failure is data. */
import { Failure, type FailureData } from '../base/failure.ts';
import { toFailure } from '../base/log.ts';
import { isDiskFull } from '../base/node/disk-full.ts';
import type { Answer } from '../bridge/failure.ts';

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
