/**
 * Opening sealed copies. It runs in any thread.
 */
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { OpenError, openCopy, type Route } from '../../protocol/envelope.ts';
import type { EnvelopeHeader, SealedCopy } from '../../protocol/envelope-form.ts';
import { type HybridPrivateKey, importHybrid } from '../../protocol/x-wing.ts';

/** One copy, and the own secrets that may open it, most likely first. */
export interface OpenJob {
  route: Route;
  asRequest: boolean;
  copy: SealedCopy;
  /** Seeds of hybrid seal keys, of 32 bytes. */
  secrets: Uint8Array[];
}

/** Null for a copy that cannot be opened. */
export type Opened = { header: EnvelopeHeader; payload: Uint8Array } | null;

/** Opens copies with own secrets. The secrets of the last call stay imported, and no others. */
export class Opener {
  #imported = new Map<string, HybridPrivateKey>();

  /** In the order of the jobs; null for each failure. */
  open(jobs: readonly OpenJob[]): Opened[] {
    const before = this.#imported;
    this.#imported = new Map();
    return jobs.map((job) => this.#open(job, before));
  }

  #open({ route, asRequest, copy, secrets }: OpenJob, before: ReadonlyMap<string, HybridPrivateKey>): Opened {
    for (const secret of secrets) {
      try {
        return openCopy(route, this.#import(secret, before), copy, asRequest);
      } catch (error) {
        if (!(error instanceof OpenError)) throw error;
      }
    }
    return null;
  }

  /** Importing a key costs more than opening with it, and an inbox is opened with the same few. */
  #import(secret: Uint8Array, before: ReadonlyMap<string, HybridPrivateKey>): HybridPrivateKey {
    const name = encodeBase64Url(secret);
    const key = this.#imported.get(name) ?? before.get(name) ?? importHybrid(secret);
    this.#imported.set(name, key);
    return key;
  }
}
