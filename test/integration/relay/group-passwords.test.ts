/**
 * Guessing the password of a group, and the cost for people who know it.
 */
import { expect, test } from 'vitest';
import { newPerson, Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { quickPassword, TestRoster } from '../../support/relay-rosters.ts';

const LIMITS = { rates: ROOMY_RATES };

/** Accounts that have logged in. */
async function accounts(relay: TestRelay, count: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: count }, () => new Person(relay).login()));
}

/** An attempt to join, from some network. */
async function guess(
  relay: TestRelay,
  id: string,
  { token }: Person,
  password: string,
  network = '192.0.2.1',
) {
  const response = await fetch(`${relay.url}/api/v1/groups/${id}/admission`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': network,
    },
    body: JSON.stringify({ password: quickPassword(password).told }),
  });
  const { code } = (await response.json()) as { code?: string };
  return { status: response.status, code };
}

test('wrong guesses from many networks block no other person', async () => {
  await using relay = await new TestRelay({ trustedProxies: ['127.0.0.1'], limits: LIMITS }).start();
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const { id } = await TestRoster.begin(ann, { password: 'right' });
  const guessers = await accounts(relay, 50);
  const answers = await Promise.all(
    guessers.map((eve, index) => guess(relay, id, eve, 'wrong', `10.0.${index}.1`)),
  );
  for (const answer of answers) expect(answer).toEqual({ status: 403, code: 'wrong_password' });
  expect((await guess(relay, id, ben, 'right')).status).toBe(200);
});

test('an account that guesses waits, from any network and with any credential', async () => {
  await using relay = await new TestRelay({ trustedProxies: ['127.0.0.1'], limits: LIMITS }).start();
  const [ann, eve] = [await newPerson(relay), await newPerson(relay)];
  const { id } = await TestRoster.begin(ann, { password: 'right' });
  const again = new Person(relay);
  again.token = (await relay.call('createSession', { body: await eve.signedChallenge() })).body.token;
  const answers = [
    await guess(relay, id, eve, 'wrong', '10.0.0.1'),
    await guess(relay, id, again, 'right', '10.0.1.1'),
  ];
  expect(answers.map(({ code }) => code)).toEqual(['wrong_password', 'rate_limited']);
});
