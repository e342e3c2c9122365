/**
 * Homes of addresses, and invites of all four kinds.
 */
import {
  type DeviceList,
  deviceListHash,
  signDeviceList,
  type UnsignedDeviceList,
} from '../../../src/protocol/device-list.ts';
import { concatBytes, encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { formatInvite, type Invite } from '../../../src/protocol/invite.ts';
import { type Home, homeBytes, signHome } from '../future/moving/home.ts';
import { firstList, fixedBytes, fixedDevice, fixedWallet } from '../identities.ts';
import { bytes, hex } from '../vectors.ts';

const wallet = fixedWallet(0x11);
const ISSUED = '2026-11-20T20:10:00.000Z';

const ORIGINS: [origin: string, isOne: boolean][] = [
  ['https://relay.example', true],
  ['https://relay.example:8443', true],
  ['https://192.168.1.5:8443', true],
  ['https://[fe80::1]:8443', true],
  ['https://xn--bcher-kva.example', true],
  ['http://127.0.0.1:8787', true],
  ['http://localhost:8787', true],
  ['http://[::1]:8787', true],
  ['http://relay.example', false],
  ['http://192.168.1.5', false],
  ['https://relay.example/', false],
  ['https://relay.example/api', false],
  ['https://Relay.example', false],
  ['https://relay.example:443', false],
  ['https://bücher.example', false],
  ['https://ann@relay.example', false],
  ['https://relay.example?a', false],
  ['ftp://relay.example', false],
  ['relay.example', false],
  [
    `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}`,
    false,
  ],
  ['', false],
];

export function homeVectors() {
  const [first, second, stranger] = [0x21, 0x22, 0x23].map((seed) => fixedDevice(seed)) as [
    Device,
    Device,
    Device,
  ];
  const sign = (list: UnsignedDeviceList) => signDeviceList(wallet, list);
  const one = sign(firstList([first, second]));
  const after = (before: DeviceList, ...devices: Device[]) =>
    sign({
      ...firstList(devices),
      sequence: before.sequence + 1,
      previous: deviceListHash(wallet.address, before),
      issued: '2026-11-20T20:05:00.000Z',
    });
  const two = after(one, second);
  const soonOver = sign({
    ...firstList([first]),
    devices: [{ ...first.entry, validUntil: '2026-11-20T20:10:30.000Z' }],
  });
  const fields = {
    address: wallet.address,
    relay: 'https://new.example',
    sequence: 1,
    list: 1,
    issued: Date.parse(ISSUED),
  };
  const home = signHome(first.key, fields);
  const is = (why: string, problem: string | null, of: Home, more: object = {}) => ({
    why,
    now: '2026-11-20T20:11:00.000Z',
    named: 'one',
    newest: 'one',
    home: of,
    problem,
    ...more,
  });
  const again = (change: Partial<typeof fields>) => signHome(first.key, { ...fields, ...change });
  return {
    origins: ORIGINS.map(([origin, isOrigin]) => ({ origin, isOrigin })),
    address: wallet.address,
    deviceSeed: hex(fixedBytes(0x21)),
    lists: { one, two, soonOver },
    home: { signedBytes: hex(homeBytes(home)), home },
    cases: [
      is('it counts', null, home),
      is('a list later, and the device still stands in it', null, signHome(second.key, fields), {
        newest: 'two',
      }),
      is('dated five minutes ahead', null, again({ issued: Date.parse('2026-11-20T20:16:00.000Z') })),
      is('dated further ahead', 'future', again({ issued: Date.parse('2026-11-20T20:16:00.001Z') })),
      is('judged by another list than it names', 'another_list', again({ list: 2 })),
      is('its device was removed since', 'device', home, { newest: 'two' }),
      is('its device stands in no list', 'device', signHome(stranger.key, fields)),
      is('its device has ended', 'device', home, { named: 'soonOver', newest: 'soonOver' }),
      is('another relay than the signed one', 'signature', { ...home, relay: 'https://other.example' }),
      is('another address than the signed one', 'signature', { ...home, address: fixedWallet(0x12).address }),
      is('signed by another device', 'signature', {
        ...signHome(second.key, fields),
        deviceId: first.entry.deviceId,
      }),
    ],
    order: [
      { why: 'the first that is known', known: null, shown: home, stands: 'newer' },
      {
        why: 'the next',
        known: home,
        shown: again({ sequence: 2, relay: 'https://third.example' }),
        stands: 'newer',
      },
      { why: 'the same', known: home, shown: home, stands: 'same' },
      { why: 'one from before', known: again({ sequence: 2 }), shown: home, stands: 'older' },
      {
        why: 'two of one number',
        known: home,
        shown: again({ relay: 'https://third.example' }),
        stands: 'contradicts',
      },
    ],
    malformed: [
      { why: 'a relay without https', home: { ...home, relay: 'http://new.example' } },
      { why: 'a relay with a path', home: { ...home, relay: 'https://new.example/' } },
      { why: 'number 0', home: { ...home, sequence: 0 } },
      { why: 'no list', home: { ...home, list: undefined } },
    ],
  };
}

type Device = ReturnType<typeof fixedDevice>;

export function inviteVectors() {
  const relay = 'https://relay.example';
  const token = encodeBase64Url(bytes('000102030405060708090a0b0c0d0e0f'));
  const groupId = encodeBase64Url(fixedBytes(0x0c).subarray(0, 16));
  const seed = encodeBase64Url(fixedBytes(0x44));
  const relayKey = encodeBase64Url(fixedBytes(0x45));
  const invitation = `inv_${encodeBase64Url(fixedBytes(0x46))}`;
  const usual = { relay, relayKey: null, invitation: null };
  const own = { relay: 'https://192.168.1.5:8443', relayKey, invitation: null };
  const person = { to: 'person' as const, address: wallet.address, token };
  const group = { to: 'group' as const, groupId, seed };
  const invites: [string, Invite][] = [
    ['to a person', { ...person, ...usual }],
    ['to a person, at a relay with a certificate of its own', { ...person, ...own }],
    ['into a group', { ...group, ...usual }],
    ['into a group, at a relay with a certificate of its own', { ...group, ...own }],
    ['with an invitation code for the relay', { ...person, ...usual, invitation }],
    ['at a relay on this computer', { ...group, ...usual, relay: 'http://127.0.0.1:8787' }],
  ];
  const [, first] = invites[0] as [string, Invite];
  const { url, app } = formatInvite(first);
  const code = app.slice('waxwing:i/'.length);
  const coded = (...parts: Uint8Array[]) => `waxwing:i/${encodeBase64Url(concatBytes(...parts))}`;
  const of = (value: number, length: number) => new Uint8Array(length).fill(value);
  const withOrigin = (origin: string, version = 0x01) =>
    coded(of(version, 1), of(0x11, 20), of(0x22, version === 0x01 ? 16 : 48), encodeUtf8(origin));
  return {
    invites: invites.map(([why, invite]) => ({ why, invite, ...formatInvite(invite) })),
    alsoRead: [
      ` ${url}\n`,
      app.replace('waxwing:i/', 'WAXWING:I/'),
      url.replace('https://relay', 'https://RELAY'),
    ],
    refused: [
      { why: 'nothing', text: '', fault: 'form' },
      { why: 'the code alone', text: code, fault: 'form' },
      { why: 'another path', text: url.replace('/i#', '/j#'), fault: 'form' },
      { why: 'a link without a code', text: url.slice(0, url.indexOf('#')), fault: 'form' },
      {
        why: 'a query, which would reach the server',
        text: url.replace('/i#', `/i?${code}#`),
        fault: 'form',
      },
      { why: 'longer than an invite can be', text: app.padEnd(2_049, 'A'), fault: 'form' },
      { why: 'an empty code', text: 'waxwing:i/', fault: 'code' },
      { why: 'a character that base64url does not have', text: `${app}!`, fault: 'code' },
      { why: 'cut before the relay', text: coded(of(0x01, 1), of(0x11, 20), of(0x22, 16)), fault: 'code' },
      { why: 'cut in the middle', text: app.slice(0, 40), fault: 'code' },
      { why: 'what follows the point is no invitation code', text: `${app}.inv_short`, fault: 'code' },
      { why: 'two invitation codes', text: `${app}.${invitation}.${invitation}`, fault: 'code' },
      { why: 'a relay that is no UTF-8', text: coded(of(0x01, 1), of(0x11, 36), of(0xff, 9)), fault: 'code' },
      { why: 'a kind that is not known', text: withOrigin(relay, 0x05), fault: 'version' },
      { why: 'http on a network', text: withOrigin('http://192.168.1.5'), fault: 'relay' },
      { why: 'a relay with a path', text: withOrigin('https://relay.example/x'), fault: 'relay' },
      { why: 'a certificate for http', text: withOrigin('http://127.0.0.1:8787', 0x02), fault: 'relay' },
      {
        why: 'a link that leads to another relay',
        text: url.replace('relay.example', 'other.example'),
        fault: 'another_relay',
      },
    ],
    tokens: [
      { why: 'new', madeAt: ISSUED, spentAt: null, now: ISSUED, isGood: true },
      { why: 'seven days old', madeAt: ISSUED, spentAt: null, now: '2026-11-27T20:10:00.000Z', isGood: true },
      { why: 'older', madeAt: ISSUED, spentAt: null, now: '2026-11-27T20:10:00.001Z', isGood: false },
      { why: 'spent', madeAt: ISSUED, spentAt: ISSUED, now: ISSUED, isGood: false },
    ],
  };
}
