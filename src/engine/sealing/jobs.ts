/** Work outside the engine's thread: sealing and opening copies. Plain data in, plain data out. */
import type { Opened, OpenJob } from '../../messaging/receiving/open.ts';
import { Opener } from '../../messaging/receiving/open.ts';
import type { SealJob } from '../../messaging/sending/outgoing.ts';
import { newRandomness, type SealRandomness, sealCopy } from '../../protocol/envelope.ts';
import type { SealedCopy } from '../../protocol/envelope-form.ts';

/** Functions of the pool's threads. */
export interface SealingFunctions {
  seal(job: SealJob): SealedCopy[];
  open(jobs: OpenJob[]): Opened[];
}

const RANDOMNESS_AHEAD = 256;
const ahead: SealRandomness[] = [];

/**
 * Makes ephemeral keys in idle time: half the cost of a seal.
 * @returns whether there is more to make
 */
export function prepareRandomness(): boolean {
  if (ahead.length < RANDOMNESS_AHEAD) ahead.push(newRandomness());
  return ahead.length < RANDOMNESS_AHEAD;
}

const opener = new Opener();

export const sealingFunctions: SealingFunctions = {
  seal: (job) =>
    job.recipientKeys.map((key) =>
      sealCopy(job.route, key, job.header, job.payload, ahead.pop() ?? newRandomness()),
    ),
  open: (jobs) => opener.open(jobs),
};
