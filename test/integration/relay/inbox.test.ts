import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPerson, type Person, TestDevice } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { StoppedClock } from '../../support/steady-clock.ts';

const steady = new StoppedClock();
const relay = new TestRelay({ steady });
let ann: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

async function sendTexts(to: Person, texts: string[], at = relay): Promise<void> {
  for (const text of texts) {
    await at.call('sendEnvelopes', { token: ann.token, body: ann.seal(to, to.device, text) });
  }
}

test('the inbox returns all unacknowledged envelopes, oldest first, in pages', async () => {
  const ben = await newPerson(relay);
  await sendTexts(ben, ['1', '2', '3']);
  const query = { device: ben.device.id, limit: 2 };
  const { body: page } = await relay.call('getInbox', { token: ben.token, query });
  expect(page.more).toBe(true);
  expect(page.envelopes.map((envelope) => ben.open(envelope))).toEqual(['1', '2']);
  const ids = page.envelopes.map(({ id }) => id);
  const ack = { token: ben.token, body: { device: ben.device.id, ids } };
  expect((await relay.call('acknowledge', ack)).body).toEqual({ acknowledged: 2 });
  expect((await relay.call('acknowledge', ack)).body).toEqual({ acknowledged: 0 });
  const { body: rest } = await relay.call('getInbox', { token: ben.token, query });
  expect(rest.more).toBe(false);
  expect(rest.envelopes.map((envelope) => ben.open(envelope))).toEqual(['3']);
});

test('a page is bounded by bytes, but never empty', async () => {
  await using narrow = await new TestRelay({ limits: { inboxBytes: 600 } }).start();
  const [from, to] = [await newPerson(narrow), await newPerson(narrow)];
  for (const text of ['x'.repeat(3000), 'b', 'c', 'd']) {
    await narrow.call('sendEnvelopes', { token: from.token, body: from.seal(to, to.device, text) });
  }
  const sizes: number[] = [];
  for (let more = true; more; ) {
    const { body } = await narrow.call('getInbox', { token: to.token, query: { device: to.device.id } });
    sizes.push(body.envelopes.length);
    more = body.more;
    const ids = body.envelopes.map(({ id }) => id);
    await narrow.call('acknowledge', { token: to.token, body: { device: to.device.id, ids } });
  }
  expect(sizes).toEqual([1, 2, 1]);
});

test('the queue of another account cannot be read or acknowledged', async () => {
  const [ben, eve] = [await newPerson(relay), await newPerson(relay)];
  await sendTexts(ben, ['private']);
  const [envelope] = await ben.inbox();
  const query = { device: ben.device.id };
  await relay.refuse('unknown_device', 'getInbox', { token: eve.token, query });
  const body = { device: ben.device.id, ids: [envelope?.id] };
  await relay.refuse('unknown_device', 'acknowledge', { token: eve.token, body });
  const own = { device: eve.device.id, ids: [envelope?.id] };
  expect((await relay.call('acknowledge', { token: eve.token, body: own })).body.acknowledged).toBe(0);
  expect(await ben.inbox()).toHaveLength(1);
});

test('an open poll is answered as soon as an envelope arrives', async () => {
  const ben = await newPerson(relay);
  const openPoll = ben.inbox(ben.device, 20);
  await relay.untilPolling(1);
  // No time passes: nothing but the envelope ends the call.
  await sendTexts(ben, ['wake up']);
  expect((await openPoll).map((envelope) => ben.open(envelope))).toEqual(['wake up']);
});

test('an open poll of a device ends when another one joins the account', async () => {
  const ben = await newPerson(relay);
  const openPoll = ben.inbox(ben.device, 20);
  await relay.untilPolling(1);
  await ben.publishDevices([ben.device, new TestDevice()]);
  expect(await openPoll).toEqual([]);
});

test('an open poll ends empty after its time', async () => {
  const ben = await newPerson(relay);
  const answered: string[] = [];
  const startPoll = async (name: string, seconds: number) => {
    expect(await ben.inbox(ben.device, seconds)).toEqual([]);
    answered.push(name);
  };
  const [short, long] = [startPoll('one second', 1), startPoll('two seconds', 2)];
  await relay.untilPolling(2);
  steady.pass(999);
  expect(relay.running.heldPolls).toBe(2);
  steady.pass(1);
  await short;
  expect(answered).toEqual(['one second']);
  steady.pass(1_000);
  await long;
});

test('an open poll ends in time also if the clock is set back', async () => {
  const clock = new StoppedClock();
  await using other = await new TestRelay({ steady: clock }).start();
  const ben = await newPerson(other);
  const openPoll = ben.inbox(ben.device, 1);
  await other.untilPolling(1);
  other.ahead = -3_600_000;
  clock.pass(1_000);
  expect(await openPoll).toEqual([]);
});

test('the answer to an open poll has the time of the answer', async () => {
  await using other = await new TestRelay().start();
  const [from, to] = [await newPerson(other), await newPerson(other)];
  const path = `/api/v1/inbox?device=${to.device.id}&wait=20`;
  const openPoll = fetch(other.url + path, { headers: { authorization: `Bearer ${to.token}` } });
  await other.untilPolling(1);
  other.ahead = 15_000;
  const answeredAt = Math.floor(other.now() / 1_000) * 1_000;
  await other.call('sendEnvelopes', { token: from.token, body: from.seal(to, to.device, 'late') });
  const date = (await openPoll).headers.get('date') ?? '';
  expect(Date.parse(date)).toBeGreaterThanOrEqual(answeredAt);
});

test('two long polls of one queue are both answered', async () => {
  const ben = await newPerson(relay);
  const openPoll = [ben.inbox(ben.device, 20), ben.inbox(ben.device, 20)];
  await relay.untilPolling(2);
  await sendTexts(ben, ['for both']);
  const answers = await Promise.all(openPoll);
  expect(answers.map((envelopes) => envelopes.length)).toEqual([1, 1]);
});

test('an open poll ends at once when its credential is revoked', async () => {
  const ben = await newPerson(relay);
  const query = { device: ben.device.id, wait: 20 };
  const openPoll = relay.refuse('unauthorized', 'getInbox', { token: ben.token, query });
  await relay.untilPolling(1);
  await relay.call('deleteSession', { token: ben.token });
  await openPoll;
});

test('a credential has a limit of open polls, and an aborted call no longer counts', async () => {
  const ben = await newPerson(relay);
  const query = { device: ben.device.id, wait: 20 };
  const controller = new AbortController();
  const startPoll = () => relay.call('getInbox', { token: ben.token, query, signal: controller.signal });
  const openPoll = Array.from({ length: 8 }, () => startPoll().catch(() => 'given up'));
  await relay.untilPolling(8);
  await relay.refuse('rate_limited', 'getInbox', { token: ben.token, query });
  controller.abort();
  await Promise.all(openPoll);
  await relay.untilPolling(0);
  const again = ben.inbox(ben.device, 1);
  await relay.untilPolling(1);
  steady.pass(1_000);
  expect(await again).toEqual([]);
});

test('a stopping relay answers its open polls, and later envelopes are kept', async () => {
  await using restarted = await new TestRelay({ steady: new StoppedClock() }).start();
  const [from, to] = [await newPerson(restarted), await newPerson(restarted)];
  const openPoll = to.inbox(to.device, 30);
  await restarted.untilPolling(1);
  await restarted.stop();
  expect(await openPoll).toEqual([]);
  await restarted.start();
  await restarted.call('sendEnvelopes', { token: from.token, body: from.seal(to, to.device, 'after') });
  expect((await to.inbox(to.device, 20)).map((envelope) => to.open(envelope))).toEqual(['after']);
});

test('malformed requests are refused', async () => {
  const { token } = ann;
  const device = ann.device.id;
  for (const query of [
    '',
    `device=${device}&wait=31`,
    `device=${device}&limit=0`,
    `device=${device}&limit=501`,
    'device=x',
  ]) {
    const response = await relay.fetch(`/api/v1/inbox?${query}`, { token });
    expect([query, response.status]).toEqual([query, 400]);
  }
  await relay.refuse('unknown_device', 'getInbox', { token, query: { device: new TestDevice().id } });
  await relay.refuse('invalid_request', 'acknowledge', { token, body: { device, ids: [] } });
  await relay.refuse('invalid_request', 'acknowledge', { token, body: { device, ids: ['a/b'] } });
  const unknown = { device, ids: ['unknown'] };
  expect((await relay.call('acknowledge', { token, body: unknown })).body.acknowledged).toBe(0);
});

test('endless requests for long pages are answered one by one, and delay no other caller', async () => {
  const [eve, ben] = [await newPerson(relay), await newPerson(relay)];
  const envelopes = Array.from({ length: 50 }, () => eve.seal(eve, eve.device, 'x'.repeat(8_000)));
  await relay.call('sendEnvelopes', { token: eve.token, body: { envelopes } });
  await sendTexts(ben, ['to a friend']);
  const query = async ({ token, device }: Person) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${relay.url}/api/v1/inbox?device=${device.id}`, { headers });
    return { status: response.status, text: await response.text() };
  };
  const pages = Array.from({ length: 40 }, () => query(eve));
  expect(await query(ben)).toMatchObject({ status: 200 });
  const answers = await Promise.all(pages);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
  expect(new Set([...statuses, 200, 429])).toEqual(new Set([200, 429]));
  expect(await query(eve)).toMatchObject({ status: 200 });
});
