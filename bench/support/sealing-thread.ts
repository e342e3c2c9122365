/**
 * A thread that seals copies of a payload, as those of the sealing pool do, with ephemeral keys that are made before. It posts `ready`
 * when they are, begins at the first message, and posts `ended` after the last copy.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { generateX25519, randomBytes } from '../../src/protocol/crypto.ts';
import { newRandomness, type SealRandomness, sealCopy } from '../../src/protocol/envelope.ts';

const { route, header, copies, payloadBytes } = workerData;
/** Copies of a job, as in the pool. */
const JOB = 32;
const { publicKey } = generateX25519();
const payload = randomBytes(payloadBytes);
const newJobs = (count: number) =>
  Array.from({ length: Math.ceil(count / JOB) }, () => Array.from({ length: JOB }, newRandomness));
const seal = (job: SealRandomness[]) =>
  job.map((randomness) => sealCopy(route, publicKey, header, payload, randomness));

for (const job of newJobs(copies / 2)) seal(job); // Compiles the code, which other threads of the process do.
const jobs = newJobs(copies);
parentPort?.once('message', () => {
  for (const job of jobs) seal(job);
  parentPort?.postMessage('ended');
});
parentPort?.postMessage('ready');
