import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AcceptOutcome } from '../../../../src/relay/store/records.ts';
import {
  packMail,
  packOutcomes,
  unpackMail,
  unpackOutcomes,
} from '../../../../src/relay/store/sqlite/packed-mail.ts';

const bytes = fc.uint8Array({ maxLength: 80 }).map((each) => Buffer.from(each));
const envelope = fc.record({
  id: fc.string(),
  to: fc.string(),
  recipientDeviceKey: fc.option(fc.string()),
  asRequest: fc.boolean(),
  isRemembered: fc.boolean(),
  ephemeralPublicKey: bytes,
  nonce: bytes,
  ciphertext: bytes,
});
const request = fc.record({
  from: fc.string(),
  account: fc.nat(),
  via: fc.constantFrom('session' as const, 'api_key' as const),
  network: fc.option(fc.string()),
  now: fc.nat(),
  limits: fc.record({
    queueEnvelopes: fc.nat(),
    queueBytes: fc.nat(),
    shares: fc.record({ sender: fc.nat(), network: fc.nat() }),
  }),
  envelopes: fc.array(envelope),
});
const outcome: fc.Arbitrary<AcceptOutcome> = fc.oneof(
  fc.record({
    status: fc.constant('accepted' as const),
    acceptedAt: fc.nat(),
    queues: fc.array(fc.integer({ min: 1, max: 2 ** 40 })),
  }),
  fc.record({ status: fc.constant('duplicate' as const), acceptedAt: fc.nat() }),
  fc.record({
    status: fc.constantFrom(
      'unknown_device' as const,
      'no_devices' as const,
      'account_deleted' as const,
      'inbox_full' as const,
    ),
  }),
);

test('packed requests are the same after they crossed to another thread', () => {
  fc.assert(
    fc.property(fc.array(request), (requests) => {
      expect(unpackMail(structuredClone(packMail(requests)))).toEqual(requests);
    }),
  );
});

test('packed outcomes are the same after they crossed back', () => {
  fc.assert(
    fc.property(fc.array(outcome), (outcomes) => {
      expect(unpackOutcomes(structuredClone(packOutcomes(outcomes)))).toEqual(outcomes);
    }),
  );
});
