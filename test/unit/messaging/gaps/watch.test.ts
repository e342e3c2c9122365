/**
 * Requests of missing messages: messages are judged by number, with the journal as memory.
 */
import { describe, expect, test } from 'vitest';
import { Journal } from '../../../../src/client/identity/journal/journal.ts';
import { GapWatch, type Together } from '../../../../src/messaging/gaps/watch.ts';
import { importEd25519, randomBytes } from '../../../../src/protocol/crypto.ts';
import { signDeviceList } from '../../../../src/protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { walletFromKey } from '../../../../src/protocol/wallet.ts';
import { readVectors } from '../../../support/vectors.ts';
import type { GapEvent } from '../../../support/waxwing-vectors/gaps.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const OWN = `0x${'e'.repeat(40)}`;

const { traces } = readVectors<{ traces: { why: string; events: GapEvent[] }[] }>('waxwing/gaps.json');

/** A person with a device, for the test of its tracking. */
class Scene {
  readonly wallet = walletFromKey(randomBytes(32));
  readonly device = { id: encodeBase64Url(randomBytes(16)), key: importEd25519(randomBytes(32)).publicKey };
  readonly journal = new Journal(null, NOW);
  now = NOW;
  lastEnd: number | null = null;
  together: Together | null = { since: 0, isAccepted: true };
  validUntil = NOW + 300 * DAY;
  /** Names of the devices in their known list. */
  pinned = () => [this.device.id];
  chance = 0;
  canPost = true;
  retention = 30 * DAY;
  readonly requests: number[][] = [];
  readonly reported: boolean[] = [];
  watch = this.newWatch(false);

  newWatch(repeatsRequests: boolean): GapWatch {
    return new GapWatch(
      {
        memory: this.journal.gaps,
        company: { together: () => this.together },
        directory: {
          pinned: () =>
            signDeviceList(this.wallet, {
              sequence: 1,
              previous: null,
              issued: encodeTime(NOW),
              unsigned: [],
              devices: this.pinned().map((deviceId) => ({
                deviceId,
                key: encodeBase64Url(this.device.key),
                type: 'app',
                validUntil: encodeTime(this.validUntil),
              })),
            }),
        },
        retention: () => this.retention,
        lastEnd: () => this.lastEnd,
        now: () => this.now,
        random: () => this.chance,
        post: async (_to, { missing }) => {
          if (!this.canPost) throw new Error('the relay is away');
          this.requests.push(...Object.values(missing ?? {}));
        },
        onReported: (_conversation, _address, isReported) => void this.reported.push(isReported),
      },
      repeatsRequests,
    );
  }

  get from() {
    const { address } = this.wallet;
    return { conversation: address, address, deviceId: this.device.id };
  }

  took(...seqs: number[]): void {
    for (const seq of seqs) this.watch.received(this.from, seq);
  }

  /** The queue is read to its end after a while. */
  async end(later: number): Promise<void> {
    this.now += later;
    this.watch.begin();
    this.watch.atEnd(this.now);
    this.lastEnd = this.now;
    await this.watch.postDue();
  }
}

/** Number 2 was requested. */
async function requests(changes: Partial<Scene> = {}): Promise<Scene> {
  const scene = Object.assign(new Scene(), changes);
  scene.took(1, 3);
  await scene.end(0);
  await scene.end(2 * MINUTE);
  return scene;
}

test('requests a missing message once, reports it after a day, and no longer after it arrives', async () => {
  const scene = await requests();
  expect(scene.requests).toEqual([[2]]);
  expect([scene.watch.wasRequested(scene.from, 2), scene.watch.wasRequested(scene.from, 4)]).toEqual([
    true,
    false,
  ]);
  await scene.end(23 * HOUR);
  expect(scene.reported).toEqual([]);
  await scene.end(HOUR);
  await scene.end(HOUR);
  expect(scene.reported).toEqual([true]);
  scene.took(2);
  expect(scene.reported).toEqual([true, false]);
  expect(scene.requests).toEqual([[2]]);
});

test('accepts skipped numbers only about the sender’s own devices', async () => {
  const scene = await requests();
  await scene.end(25 * HOUR);
  const { conversation, address, deviceId } = scene.from;
  scene.watch.skipped(OWN, OWN, { [deviceId]: [2] });
  scene.watch.skipped(conversation, OWN, { [deviceId]: [2] });
  expect(scene.reported).toEqual([true]);
  scene.watch.skipped(conversation, address, { [deviceId]: [2] });
  expect(scene.reported).toEqual([true, false]);
});

test('requests nothing before acceptance, and then all that is missing', async () => {
  const scene = await requests({ together: { since: 0, isAccepted: false } });
  await scene.end(25 * HOUR);
  expect([scene.requests, scene.reported]).toEqual([[], []]);
  scene.together = { since: 0, isAccepted: true };
  await scene.end(0);
  await scene.end(2 * MINUTE);
  expect(scene.requests).toEqual([[2]]);
});

test.each([
  ['was blocked', { together: null }],
  ['left the group, where the own computer came back later', { together: { since: 9, isAccepted: true } }],
  ['has a device that ended', { validUntil: NOW }],
])('for a person who %s the report is withdrawn, and nothing counts as missing', async (_, then) => {
  const scene = await requests();
  await scene.end(25 * HOUR);
  Object.assign(scene, then);
  await scene.end(MINUTE);
  expect(scene.reported).toEqual([true, false]);
  expect(scene.journal.gaps.entries()).toEqual([]);
});

test('restarts without reports after a pause longer than the relay’s retention', async () => {
  const scene = await requests();
  await scene.end(25 * HOUR);
  await scene.end(31 * DAY);
  expect(scene.reported).toEqual([true, false]);
  scene.took(90, 91);
  await scene.end(MINUTE);
  await scene.end(25 * HOUR);
  expect(scene.requests).toEqual([[2]]);
});

test('a relay that reports a retention of a second hides no message that it drops', async () => {
  const scene = await requests({ retention: 1_000 });
  expect(scene.requests).toEqual([[2]]);
  await scene.end(23 * HOUR);
  await scene.end(HOUR);
  await scene.end(HOUR);
  expect(scene.reported).toEqual([true]);
  await scene.end(8 * DAY);
  expect(scene.reported, 'after a long absence').toEqual([true, false]);
});

test('sends an unsent request later, and again after a restart', async () => {
  const scene = await requests({ canPost: false });
  scene.canPost = true;
  await scene.end(MINUTE);
  expect(scene.requests).toEqual([]);
  await scene.end(5 * MINUTE);
  expect(scene.requests).toEqual([[2]]);
  // Also after the report: the message may still arrive.
  await scene.end(25 * HOUR);
  scene.watch = scene.newWatch(true);
  await scene.end(MINUTE);
  await scene.end(MINUTE);
  expect(scene.requests).toEqual([[2], [2]]);
});

test('does not request a message that arrives before', async () => {
  const scene = await requests({ chance: 0.5 });
  expect(scene.requests).toEqual([]);
  scene.took(2);
  await scene.end(10 * MINUTE);
  expect(scene.requests).toEqual([]);
});

test('sends at most forty requests a day for endlessly skipped numbers', async () => {
  const scene = new Scene();
  for (let turn = 0; turn < 300; turn++) {
    scene.took(1 + 100 * turn);
    await scene.end(3 * MINUTE);
  }
  expect(scene.requests).toHaveLength(40);
});

describe('the traces of the vectors', () => {
  test.each(traces)('$why', async ({ events }) => {
    const scene = new Scene();
    // Each device belongs to another person: reports are about people.
    const ids = new Map<string, string>();
    const idOf = (name: string) =>
      ids.get(name) ?? ids.set(name, encodeBase64Url(randomBytes(16))).get(name) ?? '';
    const addressOf = (name: string) => `0x${name.charCodeAt(0).toString(16).padStart(40, '0')}`;
    const from = (name: string) => ({
      conversation: addressOf(name),
      address: addressOf(name),
      deviceId: idOf(name),
    });
    scene.pinned = () => [...ids.values()];
    for (const event of events) {
      scene.now = NOW + event.at * 1_000;
      if ('took' in event) scene.watch.received(from(event.device), event.took);
      else if ('skipped' in event) {
        const { conversation, address, deviceId } = from(event.device);
        scene.watch.skipped(conversation, address, { [deviceId]: event.skipped });
      } else if ('begins' in event) scene.watch.begin();
      else if ('forgotten' in event) scene.journal.gaps.forget(addressOf(event.device), idOf(event.device));
      else if ('end' in event) {
        scene.requests.length = 0;
        await scene.end(0);
        expect(scene.requests).toEqual(Object.values(event.end.ask));
        const reported = [...ids.keys()].filter((name) =>
          scene.journal.gaps.isReported(addressOf(name), addressOf(name)),
        );
        expect(reported).toEqual(event.end.reported);
      }
    }
  });
});
