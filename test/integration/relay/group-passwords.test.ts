/**
 * Guessing at the password of a group, and what it costs those who know it.
 */
import { expect, test } from 'vitest';
import { dumpDatabase } from '../../support/database-dump.ts';
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

test('a password is kept as a hash that costs as much as the usual one', async () => {
  await using relay = await new TestRelay({ passwordCost: undefined }).start();
  await newGroup(await newPerson(relay), { password: 'right' });
  expect(dumpDatabase(relay.folder.path)).toContain('scrypt$32768$8$3$');
});

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
  // Two at a time, each for long enough that all others are there before the first is done.
  await using relay = await new TestRelay({
    limits: LIMITS,
    passwordCost: { N: 2 ** 13, r: 8, p: 3 },
  }).start();
  const ann = await newPerson(relay);
  const { id } = await newGroup(ann, { password: 'right' });
  const crowd = await accounts(relay, 45);
  const answers = await Promise.all(
    crowd.map(async (person) => {
      const first = await join(relay, id, person, 'right');
      return first.status === 503 ? join(relay, id, person, 'right') : null;
    }),
  );
  const again = answers.filter((answer) => answer !== null);
  expect(again.length).toBeGreaterThan(0);
  // The relay may still be too busy. Nobody is told to wait for having guessed.
  for (const { status } of again) expect([200, 503]).toContain(status);
  for (const [index, person] of crowd.entries()) {
    if (answers[index]?.status === 503) expect((await join(relay, id, person, 'right')).status).toBe(200);
  }
});
