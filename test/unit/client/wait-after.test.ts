import { expect, test } from 'vitest';
import { Failure, RelayUnreachable } from '../../../src/base/failure.ts';
import { waitAfter } from '../../../src/client/wait-after.ts';

const MANY = 1_000;

test.each(['relay_silent', 'relay_name_unknown', 'relay_hung_up', 'relay_unreachable'] as const)(
  'starts the next attempt within 5 seconds after %s',
  (code) => {
    const error = new RelayUnreachable(code);
    expect(waitAfter(error, MANY, 0, 1)).toBe(5_000);
    expect(waitAfter(error, MANY, 2_999.7, 1)).toBe(2_000);
    expect(waitAfter(error, MANY, 10_000, 1), 'never at once').toBe(250);
  },
);

test.each([
  new RelayUnreachable('relay_late'),
  new RelayUnreachable('not_a_relay'),
  new Failure('internal', { detail: '', reason: '' }),
])('many errors of a reachable relay delay the next call to a minute: $code', (error) => {
  expect(waitAfter(error, MANY, 0, 1)).toBe(60_000);
});
