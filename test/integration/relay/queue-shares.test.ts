import { expect, test } from 'vitest';
import { apiKeyOf, newPerson, type Person, TestDevice } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';

const LIMITS = { queueEnvelopes: 40, rates: ROOMY_RATES };

function start(limits: object = {}): Promise<TestRelay> {
  return new TestRelay({ limits: { ...LIMITS, ...limits }, trustedProxies: ['127.0.0.1'] }).start();
}

interface Sending {
  token?: string;
  /** Origin of the call according to a proxy. */
  from?: string;
}

/** Sends one text; the status of the answer, with the code and the sentence of a refusal. */
async function send(sender: Person, to: Person, { token = sender.token, from }: Sending = {}) {
  const response = await fetch(`${sender.relay.url}/api/v1/envelopes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(from !== undefined && { 'x-forwarded-for': from }),
    },
    body: JSON.stringify(sender.seal(to, to.device, 'hello')),
  });
  const { code, detail } = (await response.json()) as { code?: string; detail?: string };
  return { status: response.status, code, detail };
}

/** Sends until the relay refuses. @returns how many it took, and the refusal */
async function fill(sender: Person, to: Person, sending: Sending = {}) {
  for (let count = 0; ; count++) {
    const answer = await send(sender, to, sending);
    if (answer.status !== 201) return { count, ...answer };
    if (count > 100) throw new Error('the relay takes everything');
  }
}

/** The rows that count who fills the queues of a relay. */
function shareRows(relay: TestRelay) {
  return relay.rows<{ holder: Buffer; envelopes: number; bytes: number }>('SELECT * FROM queue_share');
}

test('one sender fills only their share of a queue, and a friend’s mail is accepted', async () => {
  await using relay = await start();
  const [eve, ben, ann] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const filled = await fill(eve, ann);
  expect(filled).toMatchObject({ count: 10, status: 507, code: 'inbox_full' });
  expect(await send(ben, ann)).toMatchObject({ status: 201 });
});

test('one sender fills only their share of a queue by bytes', async () => {
  await using relay = await start({ queueEnvelopes: 10_000, queueBytes: 284 * 40 });
  const [eve, ben, ann] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  expect(await fill(eve, ann)).toMatchObject({ count: 10, code: 'inbox_full' });
  expect(await send(ben, ann)).toMatchObject({ status: 201 });
});

test('many senders fill a queue one after the other, and a friend’s mail is still accepted', async () => {
  await using relay = await start({ queueEnvelopes: 100 });
  const [ben, ann] = [await newPerson(relay), await newPerson(relay)];
  for (let index = 0; index < 12; index++) await fill(await newPerson(relay), ann);
  expect((await fill(ben, ann)).count).toBeGreaterThan(0);
});

test('many senders of one network fill only the share of the network', async () => {
  await using relay = await start();
  const [ben, ann] = [await newPerson(relay), await newPerson(relay)];
  let count = 0;
  for (let index = 0; index < 6; index++) {
    const from = index % 2 === 0 ? `203.0.113.${index}` : `2001:db8:77:${index}::1`;
    count += (await fill(await newPerson(relay), ann, { from })).count;
  }
  expect(count).toBeLessThanOrEqual(30);
  expect(await send(await newPerson(relay), ann, { from: '203.0.113.200' })).toMatchObject({ status: 507 });
  expect(await send(await newPerson(relay), ann, { from: '2001:db8:77:ffff::1' })).toMatchObject({
    status: 507,
  });
  expect(await send(ben, ann, { from: '198.51.100.1' })).toMatchObject({ status: 201 });
});

test('the sender gets the same error for each full queue or share', async () => {
  await using relay = await start({ queueEnvelopes: 2, shares: { sender: 1, network: 1 } });
  await using shared = await start({ queueEnvelopes: 8 });
  const sentences: string[] = [];
  for (const where of [relay, shared]) {
    const [eve, ann] = [await newPerson(where), await newPerson(where)];
    const { detail } = await fill(eve, ann);
    sentences.push((detail ?? '').replace(ann.address, 'ANN'));
  }
  expect(sentences[0]).not.toBe('');
  expect(sentences[1]).toBe(sentences[0]);
});

test('API keys and group tokens of one person have one share together, and leave half of it to the person', async () => {
  await using relay = await start();
  const [eve, ann] = [await newPerson(relay), await newPerson(relay)];
  const keys = [await apiKeyOf(eve), await apiKeyOf(eve)];
  const counts = [];
  for (const token of keys) counts.push((await fill(eve, ann, { token })).count);
  expect(counts).toEqual([5, 0]);
  const group = await TestRoster.begin(eve, {}, [ann]);
  const post = await relay.call('sendGroupEnvelopes', {
    token: await group.createToken(),
    params: group.params,
    body: { envelopes: [eve.seal(ann, ann.device, 'from the bot')] },
  });
  expect(post.body.results).toMatchObject([{ status: 'rejected', error: { code: 'inbox_full' } }]);
  expect((await fill(eve, ann)).count).toBe(5);
});

test('posts to a group count for the posting member', async () => {
  await using relay = await start();
  const [eve, ben, ann] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ben, {}, [eve, ann]);
  const post = async (sender: Person) => {
    const body = {
      envelopes: Array.from({ length: 40 }, () => sender.seal(ann, ann.device, 'to the group')),
    };
    const { token } = sender;
    return (await relay.call('sendGroupEnvelopes', { token, params: group.params, body })).body.accepted;
  };
  expect(await post(eve)).toBe(10);
  expect((await fill(eve, ann)).count).toBe(0);
  expect(await post(ben)).toBe(5);
});

test('acknowledging frees the share, and deletes the data about senders', async () => {
  await using relay = await start();
  const [eve, ann] = [await newPerson(relay), await newPerson(relay)];
  await fill(eve, ann, { from: '203.0.113.7' });
  expect(await shareRows(relay)).toHaveLength(2);
  expect((await shareRows(relay)).every(({ envelopes }) => envelopes === 10)).toBe(true);
  const ids = (await ann.inbox()).map(({ id }) => id);
  const { token, device } = ann;
  await relay.call('acknowledge', { token, body: { device: device.id, ids: ids.slice(0, 3) } });
  expect((await fill(eve, ann)).count).toBe(3);
  const left = (await ann.inbox()).map(({ id }) => id);
  await relay.call('acknowledge', { token, body: { device: device.id, ids: left } });
  expect(await shareRows(relay)).toEqual([]);
});

test('removing a device deletes its counts', async () => {
  await using relay = await start();
  const [eve, ann] = [await newPerson(relay), await newPerson(relay)];
  await fill(eve, ann);
  await ann.publishDevices([new TestDevice()]);
  expect(await shareRows(relay)).toEqual([]);
});

test('a person’s own devices may fill each other’s queues', async () => {
  await using relay = await start();
  const ann = await newPerson(relay);
  expect((await fill(ann, ann)).count).toBe(40);
});

test('the network is stored as a keyed hash, only while the mail waits', async () => {
  await using relay = await start();
  const [eve, ann] = [await newPerson(relay), await newPerson(relay)];
  await send(eve, ann, { from: '203.0.113.7' });
  const name = (await shareRows(relay)).find(({ holder }) => holder.length === 16)?.holder;
  expect(name).toBeDefined();
  await send(eve, ann, { from: '203.0.113.250' });
  expect(await shareRows(relay)).toHaveLength(2);
  // The key exists in the process only: the name cannot be computed from the database.
  await relay.stop();
  await relay.start();
  await send(eve, ann, { from: '203.0.113.7' });
  const names = (await shareRows(relay)).filter(({ holder }) => holder.length === 16);
  expect(names).toHaveLength(2);
});
