/**
 * Guessing the password of a group, and the cost for people who know it.
 */
import { expect, test } from 'vitest';
import { newPerson, Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';
import { guess, LIMITS } from './group-passwords.ts';

/** Accounts that have logged in. */
async function accounts(relay: TestRelay, count: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: count }, () => new Person(relay).login()));
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
