/**
 * Guessing the password of a group, and the cost for people who know it.
 */
import { expect, test } from 'vitest';
import { newPerson, Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';
import { guess, LIMITS } from './group-passwords.ts';

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
