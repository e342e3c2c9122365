import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openCache } from '../../../src/engine/cache/database.ts';
import { Groups } from '../../../src/engine/cache/groups.ts';
import { judgeRoster, withConfirmation } from '../../../src/messaging/trust/members.ts';
import { temporaryFolder } from '../../support/engine.ts';

const [OWN, ANN, BEN] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const MINUTE = 60_000;

/** Groups in a cache that is gone when the test is. */
function newGroups() {
  const folder = temporaryFolder();
  const db = openCache(folder.path, randomBytes(32));
  const groups = new Groups(db);
  const show = (...members: string[]) => {
    const before = groups.find('builds');
    const memory = judgeRoster(before && groups.memory(before), members);
    const shown = { groupId: 'builds', name: 'Builds', description: '', verified: false, hasPassword: false };
    return groups.save({ ...shown, creator: ANN, members }, memory, OWN, NOW);
  };
  return {
    groups,
    show,
    atOnce: (work: () => void) => db.transaction(work)(),
    count: () => db.prepare<[], { n: number }>('SELECT count(*) AS n FROM group_hashes').get()?.n,
    [Symbol.dispose]: () => {
      db.close();
      folder[Symbol.dispose]();
    },
  };
}

test('who departed is stored, and so is whom the user has confirmed', () => {
  using cache = newGroups();
  const { groups, show } = cache;
  show(OWN, ANN, BEN);
  show(OWN, ANN);
  const back = show(OWN, ANN, BEN);
  expect([back.unconfirmed, back.joined]).toEqual([[BEN], true]);
  expect(groups.memory(back)).toEqual({ believed: [OWN, ANN], departed: [BEN] });
  const confirmed = groups.setMemory(back, withConfirmation(groups.memory(back), BEN), OWN, NOW);
  expect(confirmed.unconfirmed).toEqual([]);
  expect(groups.memory(confirmed)).toEqual({ believed: [OWN, ANN, BEN], departed: [BEN] });
});

test('a list of members that is over may be named for ten minutes more', () => {
  using cache = newGroups();
  const { groups, show } = cache;
  const { id } = show(OWN, ANN);
  groups.addHashes(id, ['old'], [], NOW);
  groups.addHashes(id, ['new'], ['between'], NOW);
  const isShown = (hash: string, minutes: number) => groups.hasShown(id, hash, NOW + minutes * MINUTE);
  expect(['old', 'between', 'new', 'never'].map((hash) => isShown(hash, 9))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(['old', 'between', 'new'].map((hash) => isShown(hash, 11))).toEqual([false, false, true]);
  groups.addHashes(id, ['old'], [], NOW);
  expect(isShown('old', 11)).toBe(true);
});

test('of lists of members the newest thousand are remembered, and the current one always', () => {
  using cache = newGroups();
  const { groups, show, count, atOnce } = cache;
  const { id } = show(OWN, ANN);
  atOnce(() => {
    for (let n = 0; n < 30; n++) {
      const past = Array.from({ length: 50 }, (_, index) => `past ${n} ${index}`);
      groups.addHashes(id, ['current'], past, NOW + n);
    }
  });
  expect(count()).toBe(1_000);
  expect(['current', 'past 29 0'].map((hash) => groups.hasShown(id, hash, NOW))).toEqual([true, true]);
  const isShown = (hash: string, minutes: number) => groups.hasShown(id, hash, NOW + minutes * MINUTE);
  expect(isShown('never', 9), 'it may be one of those that were dropped').toBe(true);
  expect(isShown('never', 11)).toBe(false);
});

test('where too many came and went to tell the lists between, none that was named until then is doubted', () => {
  using cache = newGroups();
  const { groups, show } = cache;
  const { id } = show(OWN, ANN);
  groups.addHashes(id, ['old'], [], NOW);
  groups.addHashes(id, ['new'], null, NOW);
  groups.addHashes(id, ['new'], ['new'], NOW + MINUTE);
  const isShown = (hash: string, minutes: number) => groups.hasShown(id, hash, NOW + minutes * MINUTE);
  expect(['new', 'between'].map((hash) => isShown(hash, 9))).toEqual([true, true]);
  expect(['new', 'between'].map((hash) => isShown(hash, 11))).toEqual([true, false]);
});
