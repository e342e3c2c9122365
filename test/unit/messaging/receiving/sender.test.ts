import { expect, test } from 'vitest';
import type { RefusedCode } from '../../../../src/base/refused-sentences.ts';
import { checkRoute, proveSender } from '../../../../src/messaging/receiving/sender.ts';
import type { DeviceList } from '../../../../src/protocol/device-list.ts';
import type { UnverifiedPayload } from '../../../../src/protocol/payload.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';

const [ann, ben, cat] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string];

const envelope = (given: Partial<InboxEnvelope> = {}) =>
  ({ from: ann, toAddress: ben, ...given }) as InboxEnvelope;
const direct = (sender: string, peer: string) =>
  ({ channel: 'direct', body: { sender, peer } }) as UnverifiedPayload;
const group = (sender: string, groupId: string) =>
  ({ channel: 'group', body: { sender, groupId } }) as UnverifiedPayload;

test.each<[string, RefusedCode, InboxEnvelope, UnverifiedPayload]>([
  ['a copy for another address', 'addressed_to_another', envelope({ toAddress: cat }), direct(ann, ben)],
  ['another sender inside than outside', 'sender_differs', envelope(), direct(cat, ben)],
  ['another sender inside, in a group', 'sender_differs', envelope({ groupId: 'g1' }), group(cat, 'g1')],
  ['another group inside than outside', 'group_differs', envelope({ groupId: 'g1' }), group(ann, 'g2')],
  ['a group message that came directly', 'group_differs', envelope(), group(ann, 'g1')],
  [
    'a direct message that came through a group',
    'direct_by_group',
    envelope({ groupId: 'g1' }),
    direct(ann, ben),
  ],
  ['a direct message for another address', 'meant_for_another', envelope(), direct(ann, cat)],
])('%s is refused with its code', (_, code, outside, inside) => {
  expect(() => checkRoute(outside, inside, ben)).toThrow(
    expect.objectContaining({ name: 'RefusedEnvelope', code }),
  );
});

test.each<[string, InboxEnvelope, UnverifiedPayload]>([
  ['a direct message', envelope(), direct(ann, ben)],
  ['a group message', envelope({ groupId: 'g1' }), group(ann, 'g1')],
  ['an own message to another, from an own device', envelope({ from: ben }), direct(ben, cat)],
])('%s with equal inner and outer fields passes', (_, outside, inside) => {
  expect(() => checkRoute(outside, inside, ben)).not.toThrow();
});

test.each([
  ['that counts as received after the certificate ended', '2026-10-01', '2026-11-20', 'device_expired'],
  [
    'that is dated after the certificate ended, though received before',
    '2026-11-05',
    '2026-10-01',
    'device_expired',
  ],
  ['that was sent and received before the certificate ended', '2026-10-01', '2026-10-02', null],
])('a message %s', (_, sentAt, receivedAt, refusedAs) => {
  const devices = [{ deviceId: 'd', key: '', validUntil: '2026-11-01T00:00:00.000Z' }];
  const list = { devices, unsigned: [] } as unknown as DeviceList;
  const payload = {
    deviceId: 'd',
    body: { sentAt: `${sentAt}T00:00:00.000Z` },
    isSignedBy: () => true,
  } as unknown as UnverifiedPayload;
  const prove = () => proveSender(list, payload, null, Date.parse(`${receivedAt}T00:00:00.000Z`));
  if (refusedAs === null) expect(prove()).toBe('signed');
  else expect(prove).toThrow(expect.objectContaining({ code: refusedAs }));
});

test.each([
  ['the key of the device', 'signed', 'AAAA'],
  ['another key', 'signature_wrong', 'BBBB'],
  ['no key', 'signature_wrong', null],
])('a signature that was verified for %s at opening counts as %s', (_, expected, verifiedKey) => {
  const devices = [{ deviceId: 'd', key: 'AAAA', validUntil: '2026-11-01T00:00:00.000Z' }];
  const list = { devices, unsigned: [] } as unknown as DeviceList;
  const sentAt = '2026-10-01T00:00:00.000Z';
  const payload = {
    deviceId: 'd',
    body: { sentAt },
    isSignedBy: () => false,
  } as unknown as UnverifiedPayload;
  const prove = () => proveSender(list, payload, verifiedKey, Date.parse(sentAt));
  if (expected === 'signed') expect(prove()).toBe('signed');
  else expect(prove).toThrow(expect.objectContaining({ code: expected }));
});
