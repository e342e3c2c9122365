/**
 * Opening sealed copies and verifying their signatures. It runs in any thread.
 */
import { decodeBase64Url, encodeBase64Url } from '../../protocol/encoding.ts';
import { OpenError, openCopy, type Route } from '../../protocol/envelope.ts';
import type { EnvelopeHeader, SealedCopy } from '../../protocol/envelope-form.ts';
import { decodeFrame, PayloadError } from '../../protocol/payload-frame.ts';
import { type HybridPrivateKey, importHybrid } from '../../protocol/x-wing.ts';

/** One copy, and the own secrets that may open it, most likely first. */
export interface OpenJob {
  route: Route;
  asRequest: boolean;
  copy: SealedCopy;
  /** Seeds of hybrid seal keys, of 32 bytes. */
  secrets: Uint8Array[];
  /** Devices of the sender that are known, with their Ed25519 keys in base64url. Need not be complete. */
  senderDevices: readonly { deviceId: string; key: string }[];
}

export interface OpenedCopy {
  header: EnvelopeHeader;
  payload: Uint8Array;
  /** The key among those of `senderDevices` for which the signature of the payload is valid; null if none of them signed it. */
  verifiedKey: string | null;
}

/** Null for a copy that cannot be opened. */
export type Opened = OpenedCopy | null;

/** Opens copies with own secrets. The secrets of the last call stay imported, and no others. */
export class Opener {
  #imported = new Map<string, HybridPrivateKey>();

  /** In the order of the jobs; null for each failure. */
  open(jobs: readonly OpenJob[]): Opened[] {
    const before = this.#imported;
    this.#imported = new Map();
    return jobs.map((job) => this.#open(job, before));
  }

  #open(job: OpenJob, before: ReadonlyMap<string, HybridPrivateKey>): Opened {
    const { route, asRequest, copy, secrets, senderDevices } = job;
    for (const secret of secrets) {
      try {
        const opened = openCopy(route, this.#import(secret, before), copy, asRequest);
        return { ...opened, verifiedKey: findVerifiedKey(opened.payload, senderDevices) };
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

function findVerifiedKey(payload: Uint8Array, devices: OpenJob['senderDevices']): string | null {
  try {
    const { signer, isSignedBy } = decodeFrame(payload);
    if (signer?.kind !== 'device') return null;
    const device = devices.find(({ deviceId }) => deviceId === signer.id);
    return device && isSignedBy(decodeBase64Url(device.key)) ? device.key : null;
  } catch (error) {
    // Refused when the payload is judged.
    if (error instanceof PayloadError) return null;
    throw error;
  }
}
