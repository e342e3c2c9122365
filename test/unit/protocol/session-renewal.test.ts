import { expect, test } from 'vitest';
import { EncodingError, encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { sessionRenewalBytes } from '../../../src/protocol/session-renewal.ts';
import { bytes, hex } from '../../support/vectors.ts';

const address = `0x${'1a'.repeat(20)}`;
const deviceId = encodeBase64Url(bytes('2b'.repeat(16)));
const issuedAt = '2026-11-20T20:00:00.000Z';

test('signs label, address, device, time and domain without separators', () => {
  expect(hex(sessionRenewalBytes(address, deviceId, issuedAt, 'relay.example:8443'))).toBe(
    [
      hex(encodeUtf8('waxwing/session/v1')),
      '1a'.repeat(20),
      '2b'.repeat(16),
      '000001a1fa8b5e00',
      hex(encodeUtf8('relay.example:8443')),
    ].join(''),
  );
});

test('each part changes the signed bytes', () => {
  const all = [
    sessionRenewalBytes(address, deviceId, issuedAt, 'relay.example'),
    sessionRenewalBytes(`0x${'1b'.repeat(20)}`, deviceId, issuedAt, 'relay.example'),
    sessionRenewalBytes(address, encodeBase64Url(bytes('2c'.repeat(16))), issuedAt, 'relay.example'),
    sessionRenewalBytes(address, deviceId, '2026-11-20T20:00:00.001Z', 'relay.example'),
    sessionRenewalBytes(address, deviceId, issuedAt, 'relay.example:443'),
  ];
  expect(new Set(all.map(hex)).size).toBe(all.length);
});

test.each([
  ['an address in capitals', `0x${'1A'.repeat(20)}`, deviceId, issuedAt],
  ['a device id with padding', address, `${deviceId}==`, issuedAt],
  ['a time in another form', address, deviceId, '2026-11-20T20:00:00Z'],
  ['a time before 1970', address, deviceId, '1969-12-31T23:59:59.999Z'],
])('%s is refused', (_what, ...[badAddress, badDevice, badTime]) => {
  expect(() => sessionRenewalBytes(badAddress, badDevice, badTime, 'relay.example')).toThrow(EncodingError);
});
