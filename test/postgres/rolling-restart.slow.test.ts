/**
 * Two relays on one database are restarted one after the other, under load, by a load balancer that polls
 * `/readyz`.
 */
import { expect, test } from 'vitest';
import { newPerson, type Person } from '../support/person.ts';
import { ROOMY_RATES, WHOLE_QUEUE } from '../support/rates.ts';
import { TestRelay } from '../support/relay.ts';
import { newDatabase } from '../support/relay-database.ts';

/** Sends calls to relays that were ready when they were last asked, one after the other. */
class Balancer {
  readonly #relays: readonly TestRelay[];
  #ready: TestRelay[] = [];
  readonly #underWay = new Map<TestRelay, number>();
  #next = 0;

  constructor(relays: readonly TestRelay[]) {
    this.#relays = relays;
  }

  /** Asks all relays. */
  async look(): Promise<void> {
    const answers = await Promise.all(
      this.#relays.map((relay) =>
        fetch(`${relay.url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    this.#ready = this.#relays.filter((_, index) => answers[index]);
  }

  isUsed(relay: TestRelay): boolean {
    return this.#ready.includes(relay);
  }

  /** Calls that a relay must answer. */
  underWay(relay: TestRelay): number {
    return this.#underWay.get(relay) ?? 0;
  }

  /** Sends a call to one of them. */
  async run<T>(call: (relay: TestRelay) => Promise<T>): Promise<T> {
    const relay = this.#ready[this.#next++ % this.#ready.length];
    if (!relay) throw new Error('no relay is ready');
    this.#underWay.set(relay, this.underWay(relay) + 1);
    try {
      return await call(relay);
    } finally {
      this.#underWay.set(relay, this.underWay(relay) - 1);
    }
  }
}

/** Stops a relay as an operator's system does, and starts it again. */
async function restart(relay: TestRelay, balancer: Balancer): Promise<void> {
  relay.running.drain();
  expect((await fetch(`${relay.url}/healthz`)).status).toBe(200);
  const late = await fetch(`${relay.url}/api/v1`);
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  await balancer.look();
  expect(balancer.isUsed(relay)).toBe(false);
  // As with --drain, calls in progress are completed. Open polls end, too: mail arrives through the other relay.
  await expect.poll(() => balancer.underWay(relay)).toBe(0);
  await relay.stop();
  await relay.start();
  await balancer.look();
  expect(balancer.isUsed(relay)).toBe(true);
}

test('a rolling restart under load refuses, loses and repeats nothing', async () => {
  const database = (await newDatabase()) ?? '';
  const limits = { rates: ROOMY_RATES, shares: WHOLE_QUEUE };
  await using one = await new TestRelay({ database, limits }).start();
  const others = { database, limits, publicUrl: one.url, hosts: ['127.0.0.1'] };
  await using two = await new TestRelay(others).start();
  const balancer = new Balancer([one, two]);
  await balancer.look();
  const [from, to] = [await newPerson(one), await newPerson(one)];

  let isOver = false;
  let isAllSent = false;
  const sent = new Set<string>();
  const got: string[] = [];
  const send = async (name: string) => {
    for (let count = 0; !isOver; count++) {
      const text = `${name} ${count}`;
      const body = from.seal(to, to.device, text);
      const send = (relay: TestRelay) => relay.call('sendEnvelopes', { token: from.token, body });
      expect((await balancer.run(send)).status).toBe(201);
      sent.add(text);
    }
  };
  const read = async (person: Person) => {
    const { token, device } = person;
    while (!isAllSent || got.length < sent.size) {
      const query = { device: device.id, wait: 5 };
      const { body } = await balancer.run((relay) => relay.call('getInbox', { token, query }));
      got.push(...body.envelopes.map((envelope) => person.open(envelope)));
      const ids = body.envelopes.map(({ id }) => id);
      const ack = (relay: TestRelay) =>
        relay.call('acknowledge', { token, body: { device: device.id, ids } });
      if (ids.length > 0) await balancer.run(ack);
    }
  };
  const sending = Promise.all([send('a'), send('b')]);
  const reading = read(to);
  for (const relay of [one, two]) {
    const before = sent.size;
    await restart(relay, balancer);
    await expect.poll(() => sent.size).toBeGreaterThan(before + 20);
  }
  isOver = true;
  // Calls in progress send more messages.
  await sending;
  isAllSent = true;
  await reading;
  expect(got.toSorted()).toEqual([...sent].toSorted());
});

test('a stopping relay answers open polls at once, empty, and closes their connections', async () => {
  await using relay = await new TestRelay({ metrics: { port: 0 } }).start();
  const metrics = `http://127.0.0.1:${relay.running.metricsPort}/metrics`;
  const person = await newPerson(relay);
  const query = { device: person.device.id, wait: 30 };
  const poll = relay.call('getInbox', { token: person.token, query });
  await expect.poll(async () => (await fetch(metrics)).text()).toContain('waxwing_held_polls 1');
  await relay.stop();
  const { body, headers } = await poll;
  expect(body.envelopes).toEqual([]);
  expect(headers.get('connection')).toBe('close');
});
