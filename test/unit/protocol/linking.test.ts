import { expect, test } from 'vitest';
import type { DeviceList } from '../../../src/protocol/device-list.ts';
import { decodeBase64Url } from '../../../src/protocol/encoding.ts';
import {
  formatLinkCode,
  LINK_PREFIX,
  LinkCodeError,
  parseLinkCode,
} from '../../../src/protocol/linking/code.ts';
import {
  findOfferFault,
  isDeviceOfCode,
  type LinkOffer,
  type NewDevice,
} from '../../../src/protocol/linking/offer.ts';
import { LinkOfferRequest, NewDeviceRequest } from '../../../src/protocol/schemas/linking.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';

const vectors = readVectors<{
  codes: { deviceId: string; code: string }[];
  device: { key: string; deviceId: string; code: string; qr: string; alsoRead: string[] };
  badCodes: { why: string; code: string }[];
  waiting: { why: string; isDevice: boolean; shown: NewDevice }[];
  badRequests: { why: string; request: unknown }[];
  offers: {
    why: string;
    now: string;
    offer: LinkOffer;
    key: string;
    lists: DeviceList[];
    problem: string | null;
  }[];
}>('waxwing/link-v2.json');
const { device } = vectors;

test('converts a deviceId to the published code', () => {
  for (const { deviceId, code } of vectors.codes) {
    expect(formatLinkCode(bytes(deviceId))).toBe(code);
    expect(hex(parseLinkCode(code))).toBe(deviceId);
  }
  expect(formatLinkCode(decodeBase64Url(device.deviceId))).toBe(device.code);
  expect(device.qr).toBe(LINK_PREFIX + device.code);
  for (const typed of device.alsoRead) expect(parseLinkCode(typed)).toEqual(decodeBase64Url(device.deviceId));
  for (const { why, code } of vectors.badCodes) expect(() => parseLinkCode(code), why).toThrow(LinkCodeError);
});

test.each(vectors.waiting)('judges a waiting device: $why', ({ isDevice, shown }) => {
  expect(NewDeviceRequest.safeParse(shown).success).toBe(true);
  expect(isDeviceOfCode(parseLinkCode(device.code), shown)).toBe(isDevice);
});

test.each(vectors.badRequests)('refuses a new computer: $why', ({ request }) => {
  expect(NewDeviceRequest.safeParse(request).success).toBe(false);
});

test.each(vectors.offers)('judges an offer: $why', ({ now, offer, key, lists, problem }) => {
  expect(LinkOfferRequest.safeParse(offer).success).toBe(true);
  expect(findOfferFault(offer, decodeBase64Url(key), lists, Date.parse(now))).toBe(problem);
});

test('every reason to refuse an offer has a case', () => {
  expect(new Set(vectors.offers.map(({ problem }) => problem))).toEqual(
    new Set([null, 'another_list', 'gap', 'unproven', 'without_this_device']),
  );
});
