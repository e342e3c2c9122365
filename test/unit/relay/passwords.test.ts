import { expect, test } from 'vitest';
import { Passwords } from '../../../src/relay/passwords.ts';

test('a password is verified, whichever way its letters were composed', async () => {
  const passwords = new Passwords();
  const stored = await passwords.hash('caf\u00e9');
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.verify('cafe\u0301', stored)).toBe(true);
  expect(await passwords.verify('cafe', stored)).toBe(false);
  expect(await passwords.verify('café', null)).toBe(false);
});

test('two hashes of one password differ', async () => {
  const passwords = new Passwords();
  expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'));
});

test('two are checked at a time, sixteen wait, more are turned away, and then it goes on', async () => {
  const passwords = new Passwords();
  const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.verify('x', null)));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(12);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', status: 503 } });
  expect(await passwords.verify('x', null)).toBe(false);
});
