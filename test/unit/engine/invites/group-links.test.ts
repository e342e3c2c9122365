/** The secrets of invite links into groups, shared with the other own devices. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../../src/engine/context.ts';
import {
  deleteSeedsOfRemoved,
  newLink,
  seedOf,
  storeSeed,
  validLinks,
} from '../../../../src/engine/invites/group-links.ts';
import { groupLinkKey } from '../../../../src/messaging/contents/kinds/own.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../../src/protocol/payload.ts';
import { emptyRoster } from '../../../../src/protocol/roster/state.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../../support/cached-account.ts';

const OWN = `0x${'1'.repeat(40)}`;
const GROUP = Buffer.alloc(16, 1).toString('base64url');
const OTHER = Buffer.alloc(16, 2).toString('base64url');
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const expires = encodeTime(NOW + 1);

let account: CachedAccount;
let context: Context;
beforeEach(() => {
  account = openAccount(OWN, () => NOW);
  ({ context } = account);
});
afterEach(() => account[Symbol.asyncDispose]());

test('stores the seed of a link of one group, to be sent to the other devices', () => {
  const link = newLink();
  storeSeed(context, GROUP, link);
  expect(seedOf(context, GROUP, link.key)).toBe(link.seed);
  expect(seedOf(context, OTHER, link.key)).toBeNull();
  const entry = { key: groupLinkKey(GROUP, link.key), value: { seed: link.seed } };
  expect(context.ownRegisters.due()).toMatchObject([{ entries: [entry] }]);
});

test('a seed of another key is not used', () => {
  const [link, other] = [newLink(), newLink()];
  storeSeed(context, GROUP, { key: link.key, seed: other.seed });
  expect(seedOf(context, GROUP, link.key)).toBeNull();
});

test('deletes the seeds of removed links, and no others', () => {
  const [stays, goes, early] = [newLink(), newLink(), newLink()];
  for (const link of [stays, goes, early]) storeSeed(context, GROUP, link);
  storeSeed(context, OTHER, goes);
  const toRoster = ({ key }: { key: string }) => ({ key, expires });
  deleteSeedsOfRemoved(context, GROUP, [stays, goes].map(toRoster), [stays].map(toRoster));
  expect(seedOf(context, GROUP, goes.key)).toBeNull();
  expect(seedOf(context, GROUP, stays.key)).toBe(stays.seed);
  // Its link may arrive later.
  expect(seedOf(context, GROUP, early.key)).toBe(early.seed);
  expect(seedOf(context, OTHER, goes.key)).toBe(goes.seed);
});

test('a link of a removed device is a change of its group, and its seed no further question', () => {
  const { key, seed } = newLink();
  const version = { sentAt: encodeTime(NOW), id: Buffer.alloc(16, 3).toString('base64url') };
  const setter = { deviceId: Buffer.alloc(16, 4).toString('base64url'), by: null };
  context.ownRegisters.put(groupLinkKey(GROUP, key), { seed }, version, false, setter);
  expect(seedOf(context, GROUP, key)).toBe(seed);
  expect(context.ownRegisters.setElsewhere()).toEqual([]);
});

test('the seed from another own device is reported as a change of its group', () => {
  const emitted: [string, unknown][] = [];
  const other = openAccount(
    OWN,
    () => NOW,
    (name, payload) => emitted.push([name, payload]),
  );
  const { conversations, groups } = other.context;
  const { id } = conversations.ensureForGroup(groups.advance(emptyRoster(GROUP), [], OWN).id, NOW);
  emitted.length = 0;
  const { key, seed } = newLink();
  const body = {
    id: Buffer.alloc(16, 3).toString('base64url'),
    sender: OWN,
    peer: OWN,
    sentAt: expires,
    seq: 0,
    kind: 'own.set',
    entries: [{ key: groupLinkKey(GROUP, key), value: { seed } }],
  } as DirectBody;
  receive(other.context, OWN, receivedDirect(body, { receivedAt: NOW, deviceId: null, proof: 'signed' }));
  expect(seedOf(other.context, GROUP, key)).toBe(seed);
  expect(emitted).toContainEqual(['groups.changed', { conversationIds: [String(id)] }]);
  return other[Symbol.asyncDispose]();
});

test('an expired link is not valid from its end on', () => {
  const links = [{ key: 'a', expires }];
  expect(validLinks({ links }, NOW)).toEqual(links);
  expect(validLinks({ links }, NOW + 1)).toEqual([]);
});
