import { expect, test } from 'vitest';
import {
  type BlobUsage,
  chargeOf,
  isReadable,
  judgeAdopt,
  judgeBegin,
  judgeFinish,
  judgePart,
  type KnownBlob,
  missingParts,
} from '../../../../src/relay/rules/blobs.ts';

const NOW = 1_000_000;
const LIMITS = { blobBytes: 1_000_000, accountBlobBytes: 2_000_000, storedBlobBytes: 5_000_000 };
const NONE: BlobUsage = { accountBytes: 0, unfinished: 0, storedBytes: 0 };
const SIZE = 100_000;

const known = (fields: Partial<KnownBlob> = {}): KnownBlob => ({
  size: SIZE,
  finished: true,
  expiresAt: NOW + 1,
  claimedUntil: NOW + 1,
  ...fields,
});
const begin = (blob: KnownBlob | null, usage = NONE, size = SIZE) =>
  judgeBegin(blob, { size, now: NOW }, usage, LIMITS);
const refused = (verdict: object) => ('refusal' in verdict ? verdict.refusal : null);

test('an upload starts if nothing is there, or it has expired', () => {
  expect(begin(null)).toEqual({ deed: 'begin' });
  expect(begin(known({ expiresAt: NOW }))).toEqual({ deed: 'begin' });
  expect(begin(known({ expiresAt: NOW, claimedUntil: null }))).toEqual({ deed: 'begin' });
});

test('only its owner continues an upload, with the same size', () => {
  expect(begin(known())).toEqual({ deed: 'resume' });
  expect(refused(begin(known(), NONE, SIZE + 1))).toEqual({ code: 'blob_conflict', reason: 'size' });
  for (const claimedUntil of [null, NOW]) {
    expect(refused(begin(known({ claimedUntil })))).toEqual({ code: 'blob_conflict', reason: 'owner' });
  }
});

test('allows the last byte of each limit: blob, account and relay', () => {
  expect(begin(null, NONE, LIMITS.blobBytes)).toEqual({ deed: 'begin' });
  expect(refused(begin(null, NONE, LIMITS.blobBytes + 1))).toEqual({ code: 'too_large' });
  const own = { ...NONE, accountBytes: LIMITS.accountBlobBytes - SIZE };
  expect(begin(null, own)).toEqual({ deed: 'begin' });
  expect(refused(begin(null, own, SIZE + 1))).toEqual({ code: 'blob_quota', reason: 'account' });
  const all = { ...NONE, storedBytes: LIMITS.storedBlobBytes - SIZE };
  expect(begin(null, all)).toEqual({ deed: 'begin' });
  expect(refused(begin(null, all, SIZE + 1))).toEqual({ code: 'blob_quota', reason: 'stored' });
});

test('continues a started upload after limits were lowered', () => {
  const usage = { accountBytes: 9_000_000, unfinished: 64, storedBytes: 9_000_000 };
  expect(begin(known({ finished: false }), usage)).toEqual({ deed: 'resume' });
});

test('limits unfinished uploads of an account to 64', () => {
  expect(begin(null, { ...NONE, unfinished: 63 })).toEqual({ deed: 'begin' });
  expect(refused(begin(null, { ...NONE, unfinished: 64 }))).toEqual({
    code: 'blob_quota',
    reason: 'unfinished',
  });
});

test('a small blob counts for 64 KiB', () => {
  expect([4_112, 65_536, 65_537].map(chargeOf)).toEqual([65_536, 65_536, 65_537]);
});

test('stores a part once, accepts it again, and refuses other bytes', () => {
  const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
  const unfinished = known({ finished: false });
  expect(judgePart(unfinished, null, one, NOW)).toEqual({ deed: 'store' });
  expect(judgePart(unfinished, one, one, NOW)).toEqual({ deed: 'keep' });
  expect(refused(judgePart(unfinished, one, other, NOW))).toEqual({ code: 'blob_conflict', reason: 'bytes' });
  expect(refused(judgePart(null, null, one, NOW))).toEqual({ code: 'not_found' });
  expect(refused(judgePart(known({ expiresAt: NOW }), null, one, NOW))).toEqual({ code: 'not_found' });
  expect(refused(judgePart(known({ claimedUntil: null }), null, one, NOW))).toEqual({
    code: 'blob_conflict',
    reason: 'owner',
  });
});

test('only the owner finishes a blob, once', () => {
  expect(judgeFinish(known({ finished: false }), NOW)).toEqual({ deed: 'finish' });
  expect(judgeFinish(known(), NOW)).toEqual({ deed: 'keep' });
  expect(refused(judgeFinish(null, NOW))).toEqual({ code: 'not_found' });
  expect(refused(judgeFinish(known({ claimedUntil: null }), NOW))).toEqual({
    code: 'blob_conflict',
    reason: 'owner',
  });
  expect(missingParts([2, 0], 4)).toEqual([1, 3]);
});

test('a finished unexpired blob can be read, and adopted if there is room', () => {
  expect(isReadable(known(), NOW)).toBe(true);
  for (const blob of [null, known({ finished: false }), known({ expiresAt: NOW })]) {
    expect(isReadable(blob, NOW)).toBe(false);
    expect(refused(judgeAdopt(blob, NOW, NONE, LIMITS))).toEqual({ code: 'not_found' });
  }
  const full = { ...NONE, accountBytes: LIMITS.accountBlobBytes };
  const others = known({ claimedUntil: null });
  expect(judgeAdopt(others, NOW, NONE, LIMITS)).toEqual({ deed: 'claim' });
  expect(refused(judgeAdopt(others, NOW, full, LIMITS))).toEqual({ code: 'blob_quota', reason: 'account' });
  expect(judgeAdopt(known(), NOW, full, LIMITS)).toEqual({ deed: 'extend' });
});
