/**
 * Records of files, on each engine.
 */
import { expect, test } from 'vitest';
import { chargeOf, DROP_DELAY, FINISHED_LIFE, UNFINISHED_LIFE } from '../../../src/relay/rules/blobs.ts';
import type { BlobRecord } from '../../../src/relay/store/blob-records.ts';
import { bytesFor, NOW, newMember, openStore, type StoreMember, unique } from '../../support/relay-store.ts';

const SIZE = 5_000;
const ROOMY = { blobBytes: 1e9, accountBlobBytes: 1e9, storedBlobBytes: 1e12 };

function begin(
  { store, account }: StoreMember,
  name: string,
  more: { limits?: typeof ROOMY; size?: number } = {},
) {
  const id = bytesFor(name, 16).toString('base64url');
  const object = bytesFor(`object ${unique()}`, 16).toString('hex');
  return store.beginBlob({ id, account, size: SIZE, object, now: NOW, limits: ROOMY, ...more });
}

async function begun(by: StoreMember, name: string): Promise<BlobRecord> {
  const outcome = await begin(by, name);
  if (outcome.status === 'refused') throw new Error('this upload may begin');
  return outcome.blob;
}

async function finished(by: StoreMember, name: string, now = NOW): Promise<BlobRecord> {
  const blob = await begun(by, name);
  await by.store.nameUpload(blob.key, 'an upload');
  await by.store.recordPart(blob.key, by.account, part(0), now);
  await by.store.finishBlob(blob.key, by.account, now);
  return blob;
}

const part = (number: number, name = 'part') => ({
  part: number,
  digest: bytesFor(name, 32),
  tag: `${number} ${name}`,
});

test('an upload continues for its owner only, with the first name and the first version of each part', async () => {
  await using open = await openStore();
  const [ann, ben] = [await newMember(open.store), await newMember(open.store)];
  const name = unique();
  const blob = await begun(ann, name);
  expect(await begin(ann, name)).toMatchObject({ status: 'resumed', blob: { key: blob.key } });
  expect(await begin(ann, name, { size: SIZE + 1 })).toMatchObject({ refusal: { reason: 'size' } });
  expect(await begin(ben, name)).toMatchObject({ refusal: { reason: 'owner' } });
  expect(await open.store.nameUpload(blob.key, 'first')).toBe('first');
  expect(await open.store.nameUpload(blob.key, 'second')).toBe('first');
  const record = (by: StoreMember, name: string) =>
    open.store.recordPart(blob.key, by.account, part(0, name), NOW);
  expect(await record(ann, 'one')).toEqual({ status: 'stored' });
  expect(await record(ann, 'one')).toEqual({ status: 'stored' });
  const copy = { ...part(0, 'one'), tag: '0 another copy' };
  expect(await open.store.recordPart(blob.key, ann.account, copy, NOW)).toEqual({ status: 'passed over' });
  expect(await record(ann, 'other')).toMatchObject({ refusal: { reason: 'bytes' } });
  expect(await record(ben, 'one')).toMatchObject({ refusal: { reason: 'owner' } });
  const found = await open.store.findBlob(bytesFor(name, 16).toString('base64url'), ben.account);
  expect(found).toMatchObject({ upload: 'first', claimedUntil: null, finished: false, size: SIZE });
  expect(found?.parts.map(({ tag }) => tag)).toEqual(['0 one']);
});

test('files count for each account with a claim, and bytes are deleted some time after the last claim', async () => {
  await using open = await openStore();
  const [ann, ben] = [await newMember(open.store), await newMember(open.store)];
  const name = unique();
  const id = bytesFor(name, 16).toString('base64url');
  const blob = await finished(ann, name);
  expect(await open.store.storedBlobBytes()).toBe(chargeOf(SIZE));
  const tight = { ...ROOMY, accountBlobBytes: chargeOf(SIZE) };
  expect(await begin(ann, unique(), { limits: tight })).toMatchObject({ refusal: { reason: 'account' } });
  expect(await open.store.adoptBlob(id, ben.account, NOW, tight)).toEqual({
    status: 'claimed',
    size: SIZE,
    expiresAt: NOW + FINISHED_LIFE,
  });
  expect(await begin(ben, unique(), { limits: tight })).toMatchObject({ refusal: { reason: 'account' } });
  expect(await open.store.storedBlobBytes()).toBe(chargeOf(SIZE));
  await open.store.dropClaim(id, ann.account, NOW);
  expect(await open.store.findBytesToDrop(NOW + FINISHED_LIFE, 0, 9)).toEqual([]);
  await open.store.dropClaim(id, ben.account, NOW);
  expect(await open.store.findBytesToDrop(NOW + DROP_DELAY - 1, 0, 9)).toEqual([]);
  const drops = await open.store.findBytesToDrop(NOW + DROP_DELAY, 0, 9);
  expect(drops).toEqual([{ key: expect.any(Number), object: blob.object, upload: 'an upload' }]);
  expect(await open.store.storedBlobBytes()).toBe(chargeOf(SIZE));
  await open.store.forgetBytes(drops[0]?.key ?? 0);
  expect(await open.store.storedBlobBytes()).toBe(0);
  expect(await begin(ann, name, { limits: tight })).toMatchObject({ status: 'begun' });
});

test('bytes are found by the first digits of their name, also while waiting for deletion', async () => {
  await using open = await openStore();
  const ann = await newMember(open.store);
  const empty = await begun(ann, unique());
  const full = await finished(ann, unique());
  const known = async ({ object }: BlobRecord) =>
    (await open.store.findKnownBytes(object.slice(0, 4))).filter((one) => one.object === object);
  expect(await known(empty)).toEqual([{ object: empty.object, tag: null, isToDrop: false }]);
  expect(await known(full)).toEqual([{ object: full.object, tag: '0 part', isToDrop: false }]);
  while (await open.store.expireClaims(NOW + FINISHED_LIFE + 1));
  expect(await known(full)).toEqual([{ object: full.object, tag: null, isToDrop: true }]);
  for (const { key } of await open.store.findBytesToDrop(NOW + 2 * FINISHED_LIFE, 0, 9)) {
    await open.store.forgetBytes(key);
  }
  expect(await known(full)).toEqual([]);
});

test('an unfinished upload expires after a day, a finished one after its time, unless adopted', async () => {
  await using open = await openStore();
  const [ann, ben] = [await newMember(open.store), await newMember(open.store)];
  const [loose, kept] = [unique(), unique()];
  await begun(ann, loose);
  await finished(ann, kept);
  const find = (name: string) => open.store.findBlob(bytesFor(name, 16).toString('base64url'), ann.account);
  const expire = async (now: number) => {
    while (await open.store.expireClaims(now));
  };
  await expire(NOW + UNFINISHED_LIFE + 1);
  expect([await find(loose), (await find(kept)) === null]).toEqual([null, false]);
  const id = bytesFor(kept, 16).toString('base64url');
  await open.store.adoptBlob(id, ben.account, NOW + UNFINISHED_LIFE, ROOMY);
  await expire(NOW + FINISHED_LIFE + 1);
  expect(await find(kept)).toMatchObject({ claimedUntil: null });
  await expire(NOW + UNFINISHED_LIFE + FINISHED_LIFE + 1);
  expect(await find(kept)).toBeNull();
});
