import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROSTER_BYTES_A_DAY } from '../../../src/protocol/figures.ts';
import { newPerson } from '../../support/person.ts';
import { expectProblem } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';
import { relay } from './quotas.ts';

beforeAll(() => relay.start());

afterAll(() => relay[Symbol.asyncDispose]());

test('an account above its daily signatures is refused, and may still leave and remove', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben]);
  const uninvite = Array.from({ length: 340 }, () => `0x${randomBytes(20).toString('hex')}`);
  const large = () => group.make(ann, { kind: 'change', uninvite });
  const bytes = large().body.length * 0.75;
  for (let sent = 0; sent + bytes < ROSTER_BYTES_A_DAY - 2_000; sent += bytes) {
    await group.change(ann, { uninvite });
  }
  const refused = await expectProblem(await group.post(ann.token, large()), 'rate_limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
  await group.remove(ann, ben);
  await group.leave(ann);
});
