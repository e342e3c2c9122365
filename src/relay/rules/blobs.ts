/**
 * The rules of blobs: who may, how much, how long. Pure: a store looks up what is asked here, asks, and does what is
 * answered, all in one transaction. Sizes are bytes, times milliseconds since 1970.
 */

/** How long a claim to a finished blob counts, from when it was finished or adopted. */
export const FINISHED_LIFE = 45 * 24 * 3_600_000;
/** How long an upload may take, from when it was begun. */
export const UNFINISHED_LIFE = 24 * 3_600_000;
/**
 * When a blob is gone its bytes stay for a while, so that no call that is under way loses or leaves any: longer than a
 * part may take to arrive and to be stored.
 */
export const DROP_DELAY = 10 * 60_000;
/** No blob counts for less, so that nobody has a great many of them. */
const LEAST_CHARGE = 65_536;
/** Uploads of one account that are not finished. */
const MOST_UNFINISHED = 64;

/** What a relay takes. */
export interface BlobLimits {
  /** One blob. */
  blobBytes: number;
  /** All blobs to which one account has a claim. */
  accountBlobBytes: number;
  /** All blobs at the relay. */
  storedBlobBytes: number;
}

/** What is in use, of one account and of the relay. */
export interface BlobUsage {
  accountBytes: number;
  /** Uploads of the account that are not finished. */
  unfinished: number;
  storedBytes: number;
}

/** A blob as it is kept, seen by one account. */
export interface KnownBlob {
  size: number;
  finished: boolean;
  /** When the last claim to it ends. */
  expiresAt: number;
  /** When the claim of the account ends; null if it has none. */
  claimedUntil: number | null;
}

/** Why something is refused: a code of src/protocol/problems.ts, with its reason where there are several. */
export type BlobRefusal =
  | { code: 'not_found' }
  | { code: 'blob_conflict'; reason: 'owner' | 'size' | 'bytes' }
  | { code: 'too_large' }
  | { code: 'blob_quota'; reason: 'account' | 'unfinished' | 'stored' };

/** The answer of a rule: what to do, or why not. */
export type Verdict<Deed extends string> = { deed: Deed } | { deed: 'refuse'; refusal: BlobRefusal };

function refuse(refusal: BlobRefusal): { deed: 'refuse'; refusal: BlobRefusal } {
  return { deed: 'refuse', refusal };
}

/** What a blob of this size counts for. */
export function chargeOf(size: number): number {
  return Math.max(size, LEAST_CHARGE);
}

/** Whether a blob is there at all, finished or not. */
function isLive(blob: KnownBlob | null, now: number): blob is KnownBlob {
  return blob !== null && blob.expiresAt > now;
}

function isOwned({ claimedUntil }: KnownBlob, now: number): boolean {
  return claimedUntil !== null && claimedUntil > now;
}

/** Whether anybody who knows its id may read it. */
export function isReadable(blob: KnownBlob | null, now: number): blob is KnownBlob {
  return isLive(blob, now) && blob.finished;
}

/** An upload is begun, or goes on. One whose time is over gives way to the new one. */
export function judgeBegin(
  blob: KnownBlob | null,
  { size, now }: { size: number; now: number },
  usage: BlobUsage,
  limits: BlobLimits,
): Verdict<'begin' | 'resume'> {
  if (isLive(blob, now)) {
    if (!isOwned(blob, now)) return refuse({ code: 'blob_conflict', reason: 'owner' });
    return blob.size === size ? { deed: 'resume' } : refuse({ code: 'blob_conflict', reason: 'size' });
  }
  if (size > limits.blobBytes) return refuse({ code: 'too_large' });
  if (usage.unfinished >= MOST_UNFINISHED) return refuse({ code: 'blob_quota', reason: 'unfinished' });
  const full = roomFor(size, usage, limits);
  if (full !== null) return refuse(full);
  if (usage.storedBytes + chargeOf(size) > limits.storedBlobBytes) {
    return refuse({ code: 'blob_quota', reason: 'stored' });
  }
  return { deed: 'begin' };
}

function roomFor(size: number, usage: BlobUsage, limits: BlobLimits): BlobRefusal | null {
  const isRoom = usage.accountBytes + chargeOf(size) <= limits.accountBlobBytes;
  return isRoom ? null : { code: 'blob_quota', reason: 'account' };
}

/**
 * A part is handed in.
 * @param stored digest of the part that is there already; null if none is
 * @param digest of the one that comes
 */
export function judgePart(
  blob: KnownBlob | null,
  stored: Uint8Array | null,
  digest: Uint8Array,
  now: number,
): Verdict<'store' | 'keep'> {
  if (!isLive(blob, now)) return refuse({ code: 'not_found' });
  if (!isOwned(blob, now)) return refuse({ code: 'blob_conflict', reason: 'owner' });
  if (stored === null) return { deed: 'store' };
  const isSame = stored.length === digest.length && stored.every((byte, index) => byte === digest[index]);
  return isSame ? { deed: 'keep' } : refuse({ code: 'blob_conflict', reason: 'bytes' });
}

/** An upload is finished. Whether all parts are there is looked at before. */
export function judgeFinish(blob: KnownBlob | null, now: number): Verdict<'finish' | 'keep'> {
  if (!isLive(blob, now)) return refuse({ code: 'not_found' });
  if (!isOwned(blob, now)) return refuse({ code: 'blob_conflict', reason: 'owner' });
  return { deed: blob.finished ? 'keep' : 'finish' };
}

/** The numbers that are missing of so many parts, ascending. */
export function missingParts(stored: readonly number[], count: number): number[] {
  const there = new Set(stored);
  return Array.from({ length: count }, (_, part) => part).filter((part) => !there.has(part));
}

/** An account wants a claim of its own, or more time. */
export function judgeAdopt(
  blob: KnownBlob | null,
  now: number,
  usage: BlobUsage,
  limits: BlobLimits,
): Verdict<'claim' | 'extend'> {
  if (!isReadable(blob, now)) return refuse({ code: 'not_found' });
  // One whose time is over and that was not swept away yet is still counted.
  if (blob.claimedUntil !== null) return { deed: 'extend' };
  const full = roomFor(blob.size, usage, limits);
  return full === null ? { deed: 'claim' } : refuse(full);
}
