/**
 * Our own known answers about lists and seal keys that follow each other.
 */
import { expect, test } from 'vitest';
import { type AddressTrust, hashOf, NOTHING_KNOWN } from '../../../../src/messaging/trust/address-trust.ts';
import { judgeShown } from '../../../../src/messaging/trust/judge.ts';
import type { DeviceList } from '../../../../src/protocol/device-list.ts';
import type { SealKey } from '../../../../src/protocol/seal-key.ts';
import { readVectors } from '../../../support/vectors.ts';

const vectors = readVectors<{
  now: string;
  address: string;
  lists: Record<string, DeviceList>;
  cases: { why: string; seen: string[]; shown: string; between: string[]; becomes: string }[];
  sealKeys: {
    keys: Record<string, SealKey>;
    cases: { why: string; seen: string[]; shown: string; counts: boolean }[];
  };
}>('waxwing/history.json');
const now = Date.parse(vectors.now);

function list(name: string): DeviceList {
  const found = vectors.lists[name];
  if (!found) throw new Error(`there is no list called ${name}`);
  return found;
}

function show(before: AddressTrust, deviceList: DeviceList, between: DeviceList[], sealKeys: SealKey[] = []) {
  return judgeShown(vectors.address, before, { deviceList, sealKeys }, between, now);
}

test.each(vectors.cases)('a list: $why', ({ seen, shown, between, becomes }) => {
  const before = seen.reduce((trust, name) => show(trust, list(name), []).trust, NOTHING_KNOWN);
  const { trust, problem } = show(before, list(shown), between.map(list));
  const found = trust.fork
    ? 'fork'
    : problem === null
      ? 'pin'
      : trust.shown === hashOf(vectors.address, list(shown))
        ? 'behind'
        : 'nothing';
  expect(found).toBe(becomes);
  expect(trust.list).toEqual(becomes === 'pin' ? list(shown) : before.list);
});

test.each(vectors.sealKeys.cases)('a seal key: $why', ({ seen, shown, counts }) => {
  const key = (name: string) => vectors.sealKeys.keys[name] as SealKey;
  const before = seen.reduce(
    (trust, name) => show(trust, list('first'), [], [key(name)]).trust,
    NOTHING_KNOWN,
  );
  expect(show(before, list('first'), [], [key(shown)]).keys?.sealKeys ?? []).toEqual(
    counts ? [key(shown)] : [],
  );
});

test('all cases are there', () => {
  expect(vectors.cases).toHaveLength(16);
  expect(vectors.sealKeys.cases).toHaveLength(5);
});
