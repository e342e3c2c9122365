/**
 * One failover. failover.slow.test.ts has the others.
 */
import { expect, test } from 'vitest';
import { newPerson } from '../support/person.ts';
import { PostgresPair } from '../support/postgres-pair.ts';
import { TestRelay } from '../support/relay.ts';
import { sendEnvelope } from '../support/send-answer.ts';

test('after a failover every 201 is at the new primary, and the relay continues automatically', async () => {
  await using pair = new PostgresPair();
  await pair.start();
  await using relay = await new TestRelay({ database: await pair.database() }).start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const accepted = new Set<string>();
  const sending = async (text: string) => {
    const answer = await sendEnvelope(relay, from, from.seal(to, to.device, text));
    if (answer.status === 201) accepted.add(answer.id ?? '');
    else expect(answer).toMatchObject({ status: 503, retryAfter: '1' });
    return answer;
  };
  expect((await sending('before')).status).toBe(201);
  const meanwhile = Promise.all(Array.from({ length: 12 }, (_, index) => sending(`meanwhile ${index}`)));
  await pair.failOver();
  await meanwhile;
  const rebuilt = pair.rebuild();
  await expect.poll(async () => (await sending('after')).status).toBe(201);
  await rebuilt;
  const found = new Set((await to.inbox()).map(({ id }) => id));
  expect([...accepted].filter((id) => !found.has(id))).toEqual([]);
  expect((await relay.fetch('/readyz')).status).toBe(200);
});
