/**
 * Stored numbers and requests in the app's cache and a program's journal: equal, and bounded.
 */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ProgramGapRequests } from '../../../../src/client/identity/journal/gap-requests.ts';
import { Journal } from '../../../../src/client/identity/journal/journal.ts';
import { openCache } from '../../../../src/engine/cache/database.ts';
import { GapRequestRows } from '../../../../src/engine/cache/gap-requests.ts';
import { GapRows } from '../../../../src/engine/cache/gaps.ts';
import {
  type FollowedDevice,
  type GapMemory,
  type GapRequestMemory,
  MAX_FOLLOWED_IN_ONE,
  MAX_STRANGERS,
} from '../../../../src/messaging/gaps/memory.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const NOW = Date.parse('2026-11-20T20:00:00.000Z');

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
const deviceId = (index: number) => Buffer.from(String(index).padStart(16)).toString('base64url');

function device(index: number, changes: Partial<FollowedDevice> = {}): FollowedDevice {
  return {
    conversation: address(index),
    address: address(index),
    deviceId: deviceId(index),
    since: 0,
    isStranger: false,
    gaps: { base: 1, high: 3, missing: [] },
    ...changes,
  };
}
const missing = (...seqs: number[]) => ({
  base: 1,
  high: 1_000,
  missing: seqs.map((seq) => ({ seq, settledAt: NOW, requestedAt: NOW, isReported: true })),
});

interface Opened {
  gaps: GapMemory;
  gapRequests: GapRequestMemory;
}

describe.each([
  [
    'the cache',
    (folder: string, key: Buffer) => {
      const db = openCache(folder, key);
      // Without it a thousand writes are a thousand syncs.
      db.pragma('synchronous = OFF');
      const [gaps, gapRequests] = [new GapRows(db), new GapRequestRows(db)];
      return {
        gaps,
        gapRequests,
        inOne: (work: () => void) => db.transaction(work)(),
        close: () => db.close(),
      };
    },
  ],
  [
    'the journal',
    (folder: string) => {
      const journal = new Journal(join(folder, 'journal'), NOW);
      const inOne = (work: () => void) => journal.together(work);
      return { gaps: journal.gaps, gapRequests: new ProgramGapRequests(), inOne, close: () => undefined };
    },
  ],
])('%s', (_, open) => {
  function withBoth(
    work: (opened: Opened & { inOne(work: () => void): void; again(): Opened }) => void,
  ): void {
    using folder = temporaryFolder();
    const key = randomBytes(32);
    const first = open(folder.path, key);
    const all = [first];
    work({
      ...first,
      again() {
        all.at(-1)?.close();
        const next = open(folder.path, key);
        all.push(next);
        return next;
      },
    });
    all.at(-1)?.close();
  }

  test('restores followed devices after a restart, without forgotten ones', () => {
    withBoth(({ gaps, again }) => {
      const one = device(1, { since: 7, gaps: missing(4, 9) });
      gaps.save(device(1));
      gaps.save(one);
      gaps.save(device(2, { isStranger: true }));
      gaps.forget(address(2), deviceId(2));
      gaps.save(device(3));
      const { gaps: after } = again();
      expect(after.find(address(1), deviceId(1))).toEqual(one);
      expect(after.find(address(2), deviceId(2))).toBeNull();
      expect([after.isReported(address(1), address(1)), after.isReported(address(3), address(3))]).toEqual([
        true,
        false,
      ]);
      after.forgetAll();
      expect(again().gaps.find(address(3), deviceId(3))).toBeNull();
    });
  });

  test('returns devices with missing messages in turns', () => {
    withBoth(({ gaps }) => {
      for (let index = 0; index < 5; index++) gaps.save(device(index, { gaps: missing(2) }));
      gaps.save(device(9));
      const given = [2, 2, 2].flatMap((most) => gaps.incomplete(most).map((each) => each.address));
      expect(new Set(given)).toEqual(new Set([0, 1, 2, 3, 4].map(address)));
      expect(gaps.incomplete(100).length).toBeLessThanOrEqual(5);
      for (let index = 0; index < 5; index++) gaps.save(device(index));
      expect([gaps.incomplete(2), gaps.incomplete(2)]).toEqual([[], []]);
    });
  });

  test('any number of strangers displaces no accepted device, nor does one group another', () => {
    withBoth(({ gaps, inOne }) => {
      const inGroup = (index: number) => device(index, { conversation: 'a group', gaps: missing(2) });
      gaps.save(device(1, { gaps: missing(2) }));
      inOne(() => {
        for (let index = 0; index < MAX_STRANGERS + 100; index++)
          gaps.save(device(10_000 + index, { isStranger: true, gaps: missing(2) }));
        for (let index = 0; index < MAX_FOLLOWED_IN_ONE + 100; index++) gaps.save(inGroup(20_000 + index));
      });
      const all = gaps.incomplete(10_000);
      expect(all.filter(({ isStranger }) => isStranger)).toHaveLength(MAX_STRANGERS);
      expect(all.filter(({ conversation }) => conversation === 'a group')).toHaveLength(MAX_FOLLOWED_IN_ONE);
      expect(gaps.find(address(1), deviceId(1))).not.toBeNull();
      // The most recent sender is still known.
      expect(gaps.find('a group', deviceId(20_000 + MAX_FOLLOWED_IN_ONE + 99))).not.toBeNull();
      expect(gaps.find('a group', deviceId(20_000))).toBeNull();
    });
  });

  test('a request is answered once, repeated when delayed, and forgotten after its time', () => {
    withBoth(({ gapRequests }) => {
      const request = (seq: number) => ({
        conversation: address(1),
        address: address(1),
        deviceId: deviceId(1),
        seq,
        requestedAt: NOW,
        dueAt: NOW + seq,
      });
      for (const seq of [1, 2, 3]) gapRequests.add(request(seq));
      expect(gapRequests.due(NOW + 2, 10).map(({ seq }) => seq)).toEqual([1, 2]);
      gapRequests.answered(request(1), true);
      gapRequests.answered(request(2), false);
      gapRequests.add({ ...request(1), dueAt: NOW });
      expect(gapRequests.due(NOW + 10, 10)).toEqual([request(3)]);
      gapRequests.postpone(request(3), NOW + 20);
      expect([gapRequests.due(NOW + 10, 10), gapRequests.due(NOW + 20, 10)]).toEqual([
        [],
        [{ ...request(3), dueAt: NOW + 20 }],
      ]);
      expect([gapRequests.count(), gapRequests.countOf(address(1)), gapRequests.countOf(address(2))]).toEqual(
        [3, 3, 0],
      );
      expect([gapRequests.resealed(deviceId(1)), gapRequests.resealed(deviceId(2))]).toEqual([1, 0]);
      gapRequests.forgetBefore(NOW + 1);
      expect([gapRequests.count(), gapRequests.due(NOW + 100, 10)]).toEqual([0, []]);
    });
  });
});

test('rewrites a journal with many numbers of one device', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const journal = new Journal(path, NOW);
  journal.together(() => {
    for (let high = 1; high <= 2_000; high++)
      journal.gaps.save(device(1, { gaps: { base: 1, high, missing: [] } }));
  });
  expect(statSync(path).size).toBeLessThan(64 * 1024);
  expect(new Journal(path, NOW).gaps.find(address(1), deviceId(1))?.gaps.high).toBe(2_000);
});
