import { expect, test } from 'vitest';
import { RelayUnreachable, UnverifiableError } from '../../../../src/base/failure.ts';
import { Journal } from '../../../../src/client/identity/journal/journal.ts';
import { sealHere } from '../../../../src/client/sealing.ts';
import { Greetings, MAX_PLANNED } from '../../../../src/messaging/greeting/greetings.ts';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { type DeviceList, deviceListHash, signDeviceList } from '../../../../src/protocol/device-list.ts';
import { decodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { emptyRoster } from '../../../../src/protocol/roster/state.ts';
import type { Envelope } from '../../../../src/protocol/schemas/envelopes.ts';
import { walletFromKey } from '../../../../src/protocol/wallet.ts';
import { TestDevice } from '../../../support/person.ts';

const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const MINUTE = 60_000;
const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;

/** A person with two own lists, and an empty memory. Everyone in `contacts` is accepted. */
function newGreetings(contacts: string[] = []) {
  const wallet = walletFromKey(randomBytes(32));
  const device = new TestDevice();
  const lists: DeviceList[] = [];
  const next = () => {
    const before = lists.at(-1);
    const previous = before ? deviceListHash(wallet.address, before) : null;
    const common = { issued: encodeTime(NOW), unsigned: [] as [], devices: [] };
    lists.push(signDeviceList(wallet, { ...common, sequence: lists.length + 1, previous }));
  };
  next();
  next();
  const journal = new Journal(null, NOW);
  const sent: string[] = [];
  const world = {
    now: NOW,
    chance: 0,
    recipient: async (_address: string): Promise<void> => undefined,
    /** The reason why no post-quantum key is shown; null if all are. */
    withheld: null as UnverifiableError | null,
  };
  const greetings = new Greetings({
    sending: {
      relay: {
        async sendEnvelopes(envelopes: Envelope[]) {
          sent.push(...envelopes.map(({ toAddress }) => toAddress));
          return envelopes.map((_each, index) => ({ status: 'accepted' as const, id: String(index) }));
        },
      },
      directory: {
        async recipient(to: string) {
          await world.recipient(to);
          const sealKeys = [new TestDevice().statement(to, NOW)];
          return { address: to, deviceList: null, sealKeys };
        },
        async recipientKeys(recipients) {
          return recipients.map(
            ({ sealKeys }) => world.withheld ?? sealKeys.map(({ key }) => decodeBase64Url(key)),
          );
        },
      },
      author: {
        address: wallet.address,
        device: { id: device.id, key: device.signing },
        newestList: () => lists.at(-1) ?? null,
      },
      seal: sealHere,
      now: () => world.now,
    },
    lists: () => lists,
    plans: journal.hellos,
    people: {
      contacts: (most) => contacts.slice(0, most),
      relationOf: (who) => (contacts.includes(who) ? 'accepted' : 'none'),
    },
    automated: true,
    random: () => world.chance,
    later: () => () => undefined,
  });
  return { greetings, plans: journal.hellos, sent, world, next };
}

/** A group with these members. */
function groupOf(members: readonly string[]) {
  const person = { list: 1, since: 1, joins: [], departed: null, removed: false, signed: 1 };
  const people = Object.fromEntries(members.map((member) => [member, person]));
  return { state: { ...emptyRoster('g'), people, memberCount: members.length } };
}

test('answers about twenty of 5,000 group members with an old list', () => {
  const { greetings, plans, world } = newGreetings();
  greetings.start();
  const members = Array.from({ length: 5_000 }, (_, index) => address(index));
  const group = groupOf(members);
  for (const [index, member] of members.entries()) {
    world.chance = index / members.length;
    greetings.isBehind(member, 1, group);
  }
  expect(plans.count()).toBe(20);
});

test('does not answer a person who is not a member', () => {
  const { greetings, plans } = newGreetings();
  const group = groupOf([address(1), address(2)]);
  greetings.isBehind(address(3), 1, group);
  expect(plans.count()).toBe(0);
  greetings.isBehind(address(1), 1, group);
  expect(plans.count()).toBe(1);
});

test('plans nothing for ten thousand strangers with an old list, and a bounded number for contacts', () => {
  const contacts = Array.from({ length: MAX_PLANNED + 50 }, (_, index) => address(index));
  const { greetings, plans } = newGreetings();
  for (const stranger of contacts) greetings.isBehind(stranger, 1, null);
  expect(plans.count()).toBe(0);

  const known = newGreetings();
  const group = groupOf(contacts);
  for (const member of contacts) known.greetings.isBehind(member, 1, group);
  expect(known.plans.count()).toBe(MAX_PLANNED);
});

test('sends a change of the list to at most 500 contacts, fifty per batch', async () => {
  const { greetings, plans, sent } = newGreetings(Array.from({ length: 600 }, (_, index) => address(index)));
  greetings.start();
  expect(plans.count()).toBe(500);
  await greetings.sendDue();
  expect(sent).toHaveLength(50);
  expect(plans.due(NOW, 1_000)).toHaveLength(450);
});

test('many messages of one contact with an old list store one plan', () => {
  const { greetings, plans } = newGreetings([address(1)]);
  greetings.isBehind(address(1), 1, null);
  const plan = plans.find(address(1));
  for (let count = 0; count < 1_000; count++) greetings.isBehind(address(1), 1, null);
  expect(plans.find(address(1))).toBe(plan);
});

test('a contact without an answer from the relay does not delay the others', async () => {
  const { greetings, plans, sent, world } = newGreetings([address(1), address(2)]);
  world.recipient = async (to) => {
    if (to === address(1)) throw new RelayUnreachable('relay_wrong_answer');
  };
  greetings.start();
  await greetings.sendDue();
  expect(sent).toEqual([]);
  await greetings.sendDue();
  expect(sent).toEqual([address(2)]);
  expect(plans.find(address(1))?.dueAt).toBeGreaterThan(NOW);
});

test('sends a hello after the relay shows a withheld post-quantum key', async () => {
  const { greetings, plans, sent, world } = newGreetings([address(1)]);
  world.withheld = new UnverifiableError('keys_withheld', { who: address(1) });
  greetings.start();
  await greetings.sendDue();
  expect(sent).toEqual([]);
  const dueAt = plans.find(address(1))?.dueAt ?? Number.POSITIVE_INFINITY;
  expect(dueAt).toBeLessThan(NOW + 2 * 60 * MINUTE);
  world.now = dueAt;
  world.withheld = null;
  await greetings.sendDue();
  expect(sent).toEqual([address(1)]);
});

test('sends a list that changes during the hello about the previous one', async () => {
  const { greetings, plans, world, next } = newGreetings([address(1)]);
  world.recipient = async () => {
    world.recipient = async () => undefined;
    next();
    greetings.listChanged();
  };
  greetings.start();
  await greetings.sendDue();
  expect(plans.find(address(1))).toMatchObject({ after: 2, dueAt: NOW, sentAt: NOW });
  world.now += MINUTE;
  await greetings.sendDue();
  expect(plans.find(address(1))).toMatchObject({ after: 3, dueAt: null });
});
