/**
 * Relays with small limits: app and library send in as many calls as needed, also where the relay announces
 * higher limits than it accepts.
 */
import { expect, test } from 'vitest';
import type { Limits } from '../../../src/protocol/limits.ts';
import { newBot } from '../../support/bots.ts';
import { callEngine, eventually, setUp } from '../../support/engine.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { newPerson, type Person, TestDevice } from '../../support/person.ts';
import { TestRoster } from '../../support/relay-rosters.ts';

/** A text of 16,000 bytes becomes 22,600 characters in each copy. */
const LONG = 'x'.repeat(16_000);
const DEVICES = 12;

interface Case {
  what: string;
  limits: Partial<Limits>;
  /** The limits that the relay reports in place of its real ones. */
  reported?: Partial<Limits>;
  text: string;
}

const cases: Case[] = [
  { what: 'one copy at a time', limits: { groupEnvelopes: 1, batchEnvelopes: 1 }, text: 'short' },
  { what: 'two long copies at a time', limits: { payloadBytes: 24_000, bodyBytes: 60_000 }, text: LONG },
  {
    what: 'three at a time, and says that it takes thousands',
    limits: { groupEnvelopes: 3, batchEnvelopes: 3 },
    reported: { groupEnvelopes: Number.MAX_SAFE_INTEGER, batchEnvelopes: Number.MAX_SAFE_INTEGER },
    text: 'short',
  },
  {
    what: 'two long copies, and says that it takes megabytes',
    limits: { payloadBytes: 24_000, bodyBytes: 60_000 },
    reported: { bodyBytes: Number.MAX_SAFE_INTEGER },
    text: LONG,
  },
];

test.each(cases)(
  'with a relay that accepts $what everyone gets the message, direct and in a group',
  async (row) => {
    await using hostile = await HostileRelay.start(row.limits);
    const { reported } = row;
    if (reported) {
      hostile.lie(({ path, body }) => {
        if (!path.endsWith('/me')) return undefined;
        const me = body as { limits: Limits };
        return { ...me, limits: { ...me.limits, ...reported } };
      });
    }
    const ben = await newPerson(hostile.relay);
    const devices = [ben.device, ...Array.from({ length: DEVICES - 1 }, () => new TestDevice())];
    await ben.publishDevices(devices);
    const waiting = async (person: Person) =>
      Promise.all(devices.map(async (device) => (await person.inbox(device)).length));

    await using ann = await new LocalEngine(hostile.url).start();
    await setUp(ann, 'ann');
    const { id: direct } = await callEngine(ann, 'conversations.open', { address: ben.address });
    await callEngine(ann, 'messages.send', { conversationId: direct, text: row.text });
    await eventually(
      () => waiting(ben),
      (counts) => counts.every((count) => count === 1),
    );

    const group = await TestRoster.begin(ben);
    const joined = await callEngine(ann, 'groups.join', { groupId: group.id, password: null });
    await callEngine(ann, 'messages.send', { conversationId: joined.id, text: row.text });
    await eventually(
      () => waiting(ben),
      (counts) => counts.every((count) => count === 2),
    );

    const bot = await newBot(hostile);
    expect((await bot.client.send(ben.address, row.text)).envelopeIds).toHaveLength(DEVICES);
    await bot.client.joinGroup(group.id);
    // Ben's devices, and Ann's.
    expect((await bot.client.sendToGroup(group.id, row.text)).envelopeIds).toHaveLength(DEVICES + 1);
    expect(await waiting(ben)).toEqual(devices.map(() => 4));
  },
);
