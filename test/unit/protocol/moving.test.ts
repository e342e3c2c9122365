import { describe, expect, test } from 'vitest';
import { importEd25519 } from '../../../src/protocol/crypto.ts';
import type { DeviceList } from '../../../src/protocol/device-list.ts';
import { decodeTime } from '../../../src/protocol/encoding.ts';
import {
  formatInvite,
  type Invite,
  isTokenGood,
  newInviteToken,
  parseInvite,
} from '../../../src/protocol/invite.ts';
import { RelayOrigin } from '../../../src/protocol/relay-origin.ts';
import { compareHomes, findHomeFault, Home, homeBytes, signHome } from '../../support/future/moving/home.ts';
import { bytes, hex, readVectors } from '../../support/vectors.ts';

describe('home.json', () => {
  const vectors = readVectors<{
    origins: { origin: string; isOrigin: boolean }[];
    deviceSeed: string;
    lists: Record<string, DeviceList>;
    home: { signedBytes: string; home: Home };
    cases: { why: string; now: string; named: string; newest: string; home: Home; problem: string | null }[];
    order: { why: string; known: Home | null; shown: Home; stands: string }[];
    malformed: { why: string; home: unknown }[];
  }>('waxwing/home.json');
  const list = (name: string) => vectors.lists[name] as DeviceList;

  test('has valid and invalid origins of relays', () => {
    for (const { origin, isOrigin } of vectors.origins) {
      expect(RelayOrigin.safeParse(origin).success, origin).toBe(isOrigin);
    }
  });

  test('has the statement that its device signs', () => {
    const { home, signedBytes } = vectors.home;
    expect(hex(homeBytes(home))).toBe(signedBytes);
    const { signature, deviceId, issued, ...fields } = home;
    const key = importEd25519(bytes(vectors.deviceSeed));
    expect(signHome(key, { ...fields, issued: decodeTime(issued) })).toEqual(home);
    expect(Home.parse(home)).toEqual(home);
    expect(Home.parse({ ...home, later: true })).toEqual(home);
  });

  test.each(vectors.cases)('a statement: $why', ({ now, named, newest, home, problem }) => {
    const lists = { named: list(named), newest: list(newest) };
    expect(findHomeFault(home, lists, Date.parse(now))).toBe(problem);
  });

  test.each(vectors.order)('two statements: $why', ({ known, shown, stands }) => {
    expect(compareHomes(known, shown)).toBe(stands);
  });

  test.each(vectors.malformed)('no statement: $why', ({ home }) => {
    expect(Home.safeParse(home).success).toBe(false);
  });
});

describe('invites.json', () => {
  const vectors = readVectors<{
    invites: { why: string; invite: Invite; url: string; app: string }[];
    alsoRead: string[];
    refused: { why: string; text: string; fault: string }[];
    tokens: { why: string; madeAt: string; spentAt: string | null; now: string; isGood: boolean }[];
  }>('waxwing/invites.json');

  test.each(vectors.invites)('an invite $why', ({ invite, url, app }) => {
    expect(formatInvite(invite)).toEqual({ url, app });
    expect(parseInvite(url)).toEqual(invite);
    expect(parseInvite(app)).toEqual(invite);
  });

  test('is read in other spellings', () => {
    for (const text of vectors.alsoRead) expect(parseInvite(text), text).toEqual(vectors.invites[0]?.invite);
  });

  test.each(vectors.refused)('is refused: $why', ({ text, fault }) => {
    expect(() => parseInvite(text)).toThrow(expect.objectContaining({ name: 'InviteError', fault }));
  });

  test.each(vectors.tokens)('a token: $why', ({ madeAt, spentAt, now, isGood }) => {
    const token = { madeAt: Date.parse(madeAt), spentAt: spentAt === null ? null : Date.parse(spentAt) };
    expect(isTokenGood(token, Date.parse(now))).toBe(isGood);
    expect(newInviteToken()).not.toBe(newInviteToken());
  });
});
