import { expect, test } from 'vitest';
import { RecipientLimit } from '../../../../src/relay/delivery/recipient-limit.ts';
import { RATE, SHARES, send } from './recipient-limit.ts';

test('200,000 invented recipients do not displace a recipient’s count', () => {
  const limit = new RecipientLimit(RATE, SHARES, () => 0);
  const sent = send(limit, 'eve');
  for (let index = 0; index < 200_000; index++) {
    limit.tryConsume(`nobody ${index}`, { from: 'eve', network: null });
  }
  expect(sent).toBe(250);
  expect(send(limit, 'eve')).toBe(0);
  const others = Array.from({ length: 3 }, (_, index) => send(limit, `other ${index}`));
  expect(Math.max(...others)).toBeLessThan(sent);
});
