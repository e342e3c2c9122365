import { expect, test } from 'vitest';
import { decodeBase64Url } from '../../../src/protocol/encoding.ts';
import { openCopy } from '../../../src/protocol/envelope.ts';
import { makePeople } from '../../../src/relay-docs/examples/people.ts';
import { workThroughExample } from '../../../src/relay-docs/examples/sealing.ts';
import { hex, readVectors } from '../../support/vectors.ts';

const people = makePeople();
const { from, to, values, wire } = workThroughExample(people);

test('the worked example has the values of the published vectors', () => {
  const { positive } = readVectors<{ positive: Record<string, unknown>[] }>('waxwing/sealing.json');
  const { unsignedDirect } = readVectors<{ unsignedDirect: { payload: string } }>('waxwing/payloads.json');
  expect(positive[0]).toMatchObject({
    from,
    to,
    skR: values.recipientPrivateKey,
    pkR: values.recipientPublicKey,
    skE: values.ephemeralPrivateKey,
    pkE: values.ephemeralPublicKey,
    dh: values.dh,
    shared_secret: values.sharedSecret,
    info: values.info,
    key_schedule_context: values.keyScheduleContext,
    secret: values.secret,
    exporter_secret: values.exporterSecret,
    key: values.key,
    nonce: values.nonce,
    header: values.header,
  });
  expect(values.payload).toBe(unsignedDirect.payload);
});

test('its envelope opens with the recipient’s key', () => {
  const copy = {
    ciphertext: decodeBase64Url(wire.ciphertext),
    ephemeralPublicKey: decodeBase64Url(wire.ephemeralPublicKey),
    nonce: decodeBase64Url(wire.nonce),
  };
  const { payload } = openCopy({ from, to }, people.bob.sealKey, copy, false);
  expect(hex(payload)).toBe(values.payload);
});
