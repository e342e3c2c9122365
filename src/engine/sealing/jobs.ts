/**
 * The work that is done off the engine's thread: sealing and opening copies. Plain data in, plain data out.
 */
import type { SealJob } from '../../messaging/sending/outgoing.ts';
import type { PrivateKey } from '../../protocol/crypto/backend.ts';
import { native } from '../../protocol/crypto/native.ts';
import {
  type EnvelopeHeader,
  freshRandomness,
  OpenError,
  openCopy,
  type Route,
  type SealedCopy,
  type SealRandomness,
  sealCopy,
} from '../../protocol/envelope.ts';

/** One copy, and the own secrets that may open it, most likely first. */
export interface OpenJob {
  route: Route;
  asRequest: boolean;
  copy: SealedCopy;
  /** X25519 secrets of 32 bytes. */
  secrets: Uint8Array[];
}

export type Opened = { header: EnvelopeHeader; payload: Uint8Array } | null;

/** What the pool's threads answer to. */
export interface SealingFunctions {
  seal(job: SealJob): SealedCopy[];
  open(jobs: OpenJob[]): Opened[];
}

const RANDOMNESS_AHEAD = 256;
const ahead: SealRandomness[] = [];

/** Makes ephemeral keys in idle time: half of what a seal costs. Returns whether there is more to make. */
export function prepareRandomness(): boolean {
  if (ahead.length < RANDOMNESS_AHEAD) ahead.push(freshRandomness(native));
  return ahead.length < RANDOMNESS_AHEAD;
}

const MOST_IMPORTED = 64;
const imported = new Map<string, PrivateKey>();

/** Importing a key costs as much as opening with it, and an inbox is opened with the same few. */
function importSecret(secret: Uint8Array): PrivateKey {
  const name = Buffer.from(secret).toString('latin1');
  let key = imported.get(name);
  if (!key) {
    key = native.importX25519(secret);
    if (imported.size >= MOST_IMPORTED) imported.clear();
    imported.set(name, key);
  }
  return key;
}

function open(job: OpenJob): Opened {
  for (const secret of job.secrets) {
    try {
      return openCopy(native, job.route, importSecret(secret), job.copy, job.asRequest);
    } catch (error) {
      if (!(error instanceof OpenError)) throw error;
    }
  }
  return null;
}

export const sealingFunctions: SealingFunctions = {
  seal: (job) =>
    job.recipientKeys.map((key) =>
      sealCopy(native, job.route, key, job.header, job.payload, ahead.pop() ?? freshRandomness(native)),
    ),
  open: (jobs) => jobs.map(open),
};
