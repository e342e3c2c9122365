/**
 * Calls about chains, and callers without the right to them.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { newPerson } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';
import { runs } from '../../support/runs.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
const MINUTE = 60_000;

beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('endless entries of a stranger write nothing and delay no one', {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  const [ann, ben, eve] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { join: 'invite' });
  const commits = relay.running.commits;
  const entry = roster.make(eve, { kind: 'join' });
  let left = runs({ quick: 500, all: 2_000, nightly: 10_000 });
  const post = async () => {
    while (left-- > 0) {
      const response = await fetch(`${relay.url}/api/v1/groups/${roster.id}/roster`, {
        method: 'POST',
        headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ entry }),
      });
      expect(response.status).toBe(403);
      await response.arrayBuffer();
    }
  };
  const flood = Promise.all(Array.from({ length: 16 }, post));
  await roster.join(ben, roster.ticket(ann, ben));
  const isUnderWay = left > 0;
  await flood;
  expect(isUnderWay).toBe(true);
  // The writing thread got almost nothing: the one entry was one commit.
  expect(relay.running.commits - commits).toBeLessThan(20);
});

test('an admission lasts ten minutes, over a restart, and ends with a departure', async () => {
  const cat = await newPerson(relay);
  const open = await TestRoster.begin(await newPerson(relay), { join: 'open' });
  const readOpen = { token: cat.token, params: open.params };
  await relay.call('admitToGroup', { ...readOpen, body: {} });
  await relay.stop();
  await relay.start();
  relay.ahead = 9 * MINUTE;
  await relay.call('getRoster', readOpen);
  relay.ahead = 10 * MINUTE + 1;
  await relay.refuse('not_a_member', 'getRoster', readOpen);
  relay.ahead = 0;

  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const roster = await TestRoster.begin(ann, { join: 'open' }, [ben]);
  await roster.remove(ann, ben);
  const read = { token: ben.token, params: roster.params };
  await relay.refuse('not_a_member', 'getRoster', read);
  await relay.refuse('roster_refused', 'admitToGroup', { ...read, body: {} });
  await roster.join(ben, roster.ticket(ann, ben));
  await roster.leave(ben);
  await relay.refuse('not_a_member', 'getRoster', read);
});
