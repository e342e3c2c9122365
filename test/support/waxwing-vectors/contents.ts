/**
 * Contents: kinds and their fields, permitted senders, and the age limit of messages.
 */
import type { SenderProof } from '../../../src/messaging/contents/rights.ts';
import { type DeviceList, signDeviceList } from '../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { firstList, fixedBytes, fixedDevice, fixedWallet } from '../identities.ts';

const sender = fixedWallet(0x11).address;
const peer = fixedWallet(0x12).address;
const GROUP = encodeBase64Url(fixedBytes(0x0c).subarray(0, 16));
/** A ticket in a valid form. */
const ticket = {
  address: peer,
  issued: '2026-11-20T20:00:00.000Z',
  expires: '2026-12-20T20:00:00.000Z',
  by: sender,
  list: 1,
  deviceId: encodeBase64Url(fixedBytes(0x0d).subarray(0, 16)),
  signature: encodeBase64Url(new Uint8Array(64).fill(0x0e)),
};
const list = { sequence: 1, hash: encodeBase64Url(fixedBytes(0x51)) };

export function kindVectors() {
  const device = fixedDevice(0x21);
  const newest = signDeviceList(fixedWallet(0x11), firstList([device]));
  return { text: texts(), contents: contents(newest) };
}

/** `t(16384)`, with texts written as a piece and how often it is repeated. */
function texts() {
  const text = (piece: string, times: number, isText: boolean) => ({ piece, times, isText });
  return [
    text('a', 0, false),
    text('a', 1, true),
    text('a', 16_384, true),
    text('a', 16_385, false),
    text('é', 8_192, true),
    text('é', 8_193, false),
    text('🕊', 4_096, true),
    text('🕊', 4_097, false),
    text('one\ntwo\tthree', 1, true),
    text('one\r\ntwo', 1, false),
    text('\u0000', 1, false),
    text('\u001b[31m', 1, false),
    text('\u007f', 1, false),
    text('\u0085', 1, false),
    text('\u009f', 1, false),
    text('\u00a0', 1, true),
    text('\u202e', 1, true),
    text('\ufffd', 1, true),
    text('\ud83d', 1, false),
    text('\udd4a\ud83d', 1, false),
  ];
}

type As = 'text' | 'invite' | 'hello' | 'newer' | 'unknown';

function contents(newest: DeviceList) {
  const common = {
    id: encodeBase64Url(fixedBytes(0x0a).subarray(0, 16)),
    sender,
    sentAt: '2026-11-20T20:00:00.000Z',
    seq: 1,
    list,
  };
  const direct = (why: string, as: As, fields: object) => ({
    why,
    channel: 'direct' as const,
    as,
    body: { ...common, peer, ...fields },
  });
  const group = (why: string, as: As, fields: object) => ({
    why,
    channel: 'group' as const,
    as,
    body: { ...common, groupId: GROUP, roster: { epoch: 7, hash: list.hash }, ...fields },
  });
  const invite = { kind: 'invite', group: GROUP, name: 'Builds', ticket, fallback: 'You are invited.' };
  const hello = { kind: 'hello', lists: [newest] };
  const fallback = 'Ann sent a picture.';
  return [
    direct('a text', 'text', { kind: 'text', text: 'hello' }),
    group('a text in a group', 'text', { kind: 'text', text: 'hello' }),
    direct('further fields are ignored', 'text', { kind: 'text', text: 'hello', mood: 'glad' }),
    direct('a fallback that is not needed', 'text', { kind: 'text', text: 'hello', fallback }),
    direct('a text that is none, with a fallback', 'newer', { kind: 'text', text: 5, fallback }),
    direct('a text that is empty, without a fallback', 'unknown', { kind: 'text', text: '' }),
    direct('a text with a control character', 'unknown', { kind: 'text', text: 'bell \u0007' }),
    direct('a text without a text', 'unknown', { kind: 'text' }),
    direct('an invitation', 'invite', invite),
    group('an invitation, which is direct only', 'newer', invite),
    direct('an invitation that names the group `groupId`', 'newer', {
      ...invite,
      group: undefined,
      groupId: GROUP,
    }),
    direct('an invitation without a ticket', 'newer', { ...invite, ticket: undefined }),
    direct('an invitation whose ticket is none', 'newer', { ...invite, ticket: { ...ticket, by: 'ann' } }),
    direct('an invitation to what is no id of a group', 'newer', { ...invite, group: '../me' }),
    direct('a name of 80 characters', 'invite', { ...invite, name: 'é'.repeat(80) }),
    direct('a name of 81 characters', 'newer', { ...invite, name: 'e'.repeat(81) }),
    direct('hello', 'hello', hello),
    direct('hello without evidence', 'hello', { kind: 'hello' }),
    direct('hello in a group', 'hello', { ...hello, group: GROUP }),
    group('hello about what is no id of a group', 'unknown', { ...hello, group: 'two words' }),
    direct('hello that names no list', 'unknown', { ...hello, list: undefined }),
    direct('hello with nine lists', 'unknown', { ...hello, lists: Array(9).fill(newest) }),
    direct('hello with a list that is none', 'unknown', { ...hello, lists: [{}] }),
    direct('an unknown kind', 'unknown', { kind: 'hologram', frames: [1, 2] }),
    direct('an unknown kind with a fallback', 'newer', { kind: 'hologram', frames: [1, 2], fallback }),
    group('an unknown kind with a fallback, in a group', 'newer', { kind: 'hologram', fallback }),
    direct('a kind that is a property of every object', 'unknown', { kind: 'constructor' }),
    direct('a fallback of 1,000 bytes', 'newer', { kind: 'hologram', fallback: 'é'.repeat(500) }),
    direct('a fallback of 1,002 bytes is none', 'unknown', { kind: 'hologram', fallback: 'é'.repeat(501) }),
    direct('an empty fallback is none', 'unknown', { kind: 'hologram', fallback: '' }),
    direct('a fallback with a control character is none', 'unknown', { kind: 'hologram', fallback: 'a\rb' }),
    direct('a fallback that is no text is none', 'unknown', { kind: 'hologram', fallback: ['hello'] }),
  ];
}

export function rightsVectors() {
  const from = (
    why: string,
    proof: SenderProof,
    channel: 'direct' | 'group',
    kind: string,
    mayBeSent: boolean,
  ) => ({ why, proof, channel, kind, mayBeSent });
  return {
    cases: [
      from('signed', 'signed', 'direct', 'invite', true),
      from('signed', 'signed', 'direct', 'hello', true),
      from('signed, of a kind nobody knows', 'signed', 'group', 'hologram', true),
      from('unsigned', 'api', 'direct', 'text', true),
      from('unsigned, by a member', 'api', 'group', 'text', true),
      from('a kind to come that may be unsigned', 'api', 'direct', 'poll', true),
      from('unsigned', 'api', 'direct', 'invite', false),
      from('unsigned', 'api', 'direct', 'hello', false),
      from('unsigned', 'api', 'direct', 'accept', false),
      from('unsigned', 'api', 'direct', 'own.set', false),
      from('unsigned, of a kind nobody knows', 'api', 'direct', 'hologram', false),
      from('by a token', 'token', 'group', 'text', true),
      from('by a token, direct', 'token', 'direct', 'text', false),
      from('by a token', 'token', 'group', 'hello', false),
      from('signed by a bot', 'bot', 'group', 'text', true),
      from('signed by a bot', 'bot', 'group', 'poll', true),
      from('signed by a bot, direct', 'bot', 'direct', 'text', false),
      from('signed by a bot', 'bot', 'group', 'hello', false),
      from('signed by a bot', 'bot', 'group', 'pin', false),
      from('signed by a bot, of a kind nobody knows', 'bot', 'group', 'hologram', false),
    ],
  };
}

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2026-11-20T20:00:00.000Z');

export function replayVectors() {
  const at = (offset: number) => new Date(NOW + offset).toISOString();
  const retention = 30 * DAY;
  const time = (
    why: string,
    sentAt: number,
    counts: boolean,
    receivedAt = 0,
    reported: number | null = retention,
  ) => ({
    why,
    now: at(0),
    receivedAt: at(receivedAt),
    sentAt: at(sentAt),
    retentionSeconds: reported === null ? null : reported / 1_000,
    counts,
  });
  return {
    rememberSeconds: (135 * DAY) / 1_000,
    received: received(),
    times: [
      time('just now', 0, true),
      time('45 days old, at a relay that keeps 30', -45 * DAY, true),
      time('a millisecond older', -45 * DAY - 1, false),
      time('60 days old: the relay says that it has just come', -60 * DAY, false),
      time('60 days old, at a relay that keeps 90', -60 * DAY, true, 0, 90 * DAY),
      time('105 days old, at a relay that keeps 90', -105 * DAY, true, 0, 90 * DAY),
      time('a retention of ten years at the relay is not accepted', -105 * DAY - 1, false, 0, 3_650 * DAY),
      time('nothing is known of the relay: as if it keeps 90', -105 * DAY, true, 0, null),
      time('nothing is known of the relay', -105 * DAY - 1, false, 0, null),
      time('almost a day ahead', DAY - 1, true),
      time('a day ahead', DAY, false),
      time('more than a day ahead, and the relay says that it came as late', 3 * DAY, false, 2 * DAY),
      time('almost a day ahead of a clock to which the relay is behind', DAY - 1, true, -5 * DAY),
      time('a year ahead, as is the relay', 365 * DAY, false, 365 * DAY),
    ],
    repeats: [
      { why: 'not seen', signed: false, unsigned: false, isSigned: true, wasTaken: false },
      { why: 'signed twice', signed: true, unsigned: false, isSigned: true, wasTaken: true },
      {
        why: 'a signed one without its signature',
        signed: true,
        unsigned: false,
        isSigned: false,
        wasTaken: true,
      },
      { why: 'unsigned twice', signed: false, unsigned: true, isSigned: false, wasTaken: true },
      {
        why: 'signed, after an unsigned one with its id',
        signed: false,
        unsigned: true,
        isSigned: true,
        wasTaken: false,
      },
    ],
  };
}

function received() {
  const at = (offset: number | null) => (offset === null ? null : new Date(NOW + offset).toISOString());
  const is = (
    why: string,
    reported: number,
    counts: number,
    previous: number | null,
    lastEnd: number | null,
  ) => ({
    why,
    now: at(0),
    reported: at(reported),
    previous: at(previous),
    lastEnd: at(lastEnd),
    counts: at(counts),
  });
  const minute = 60_000;
  return [
    is('the first copy of all', -minute, -minute, null, null),
    is('later than the one before', -minute, -minute, -2 * minute, -10 * minute),
    is('dated back before the one before it', -3 * minute, -2 * minute, -2 * minute, -10 * minute),
    is('dated back before the last end of the queue', -DAY, -15 * minute, null, -10 * minute),
    is('stored while the queue was read to its end', -14 * minute, -14 * minute, null, -10 * minute),
    is('waited for long, at a device that was away', -20 * DAY, -20 * DAY, -21 * DAY, -25 * DAY),
    is('a relay whose clock is an hour ahead', 60 * minute, 60 * minute, -minute, -minute),
    is('a relay whose clock is years ahead', 3_650 * DAY, DAY, -minute, -minute),
  ];
}
