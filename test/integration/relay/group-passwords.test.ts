/**
 * Guessing at the password of a group, and what it costs those who know it.
 */
import { expect, test } from 'vitest';
import { newGroup, newPerson, Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const LIMITS = { rates: ROOMY_RATES };

/** Accounts that have logged in. */
async function accounts(relay: TestRelay, count: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: count }, () => new Person(relay).login()));
}

/** A try to join, from some network. */
async function join(
  relay: TestRelay,
  id: string,
  { token }: Person,
  password: string,
  network = '192.0.2.1',
) {
  const response = await fetch(`${relay.url}/api/v1/groups/${id}/members`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': network,
    },
    body: JSON.stringify({ password }),
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code };
}

test('fifty wrong guesses from fifty networks lock nobody out who has made none', {
  timeout: 120_000,
}, async () => {
  await using relay = await new TestRelay({ trustedProxies: ['127.0.0.1'], limits: LIMITS }).start();
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const { id } = await newGroup(ann, { password: 'right' });
  const guessers = await accounts(relay, 50);
  for (let start = 0; start < guessers.length; start += 10) {
    const ten = guessers.slice(start, start + 10);
    const answers = await Promise.all(
      ten.map((eve, index) => join(relay, id, eve, 'wrong', `10.0.${start + index}.1`)),
    );
    for (const answer of answers) expect(answer).toEqual({ status: 403, code: 'wrong_password' });
  }
  expect((await join(relay, id, ben, 'right')).status).toBe(200);
});

test('an account that guesses waits, from whatever network and with whatever credential', async () => {
  await using relay = await new TestRelay({ trustedProxies: ['127.0.0.1'], limits: LIMITS }).start();
  const [ann, eve] = [await newPerson(relay), await newPerson(relay)];
  const { id } = await newGroup(ann, { password: 'right' });
  const again = new Person(relay);
  again.token = (await relay.call('createSession', { body: await eve.signedChallenge() })).body.token;
  const answers = await Promise.all([
    join(relay, id, eve, 'wrong', '10.0.0.1'),
    join(relay, id, again, 'wrong', '10.0.1.1'),
  ]);
  expect(answers.map(({ code }) => code).sort()).toEqual(['rate_limited', 'wrong_password']);
});

test('a password that the relay was too busy to check is no guess: it may be sent again at once', {
  timeout: 120_000,
}, async () => {
  await using relay = await new TestRelay({ limits: LIMITS }).start();
  const ann = await newPerson(relay);
  const { id } = await newGroup(ann, { password: 'right' });
  const crowd = await accounts(relay, 45);
  const answers = await Promise.all(crowd.map((person) => join(relay, id, person, 'right')));
  const turnedAway = crowd.filter((_, index) => answers[index]?.status === 503);
  expect(turnedAway.length).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(45 - turnedAway.length);
  for (const person of turnedAway) expect((await join(relay, id, person, 'right')).status).toBe(200);
});
