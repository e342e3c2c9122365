/** Received profiles and group pictures: the same value in each order of arrival, one row, few lines, within limits. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/failure.ts';
import { setDownloaded, setFailed, storeFace } from '../../../../src/engine/cache/face-pictures.ts';
import { planDownloadsOfAccepted } from '../../../../src/engine/files/receiving.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import type { GroupBody } from '../../../../src/protocol/payload.ts';
import { type CachedDevice, DEVICE, idOf, openDevice, receiveBody } from '../../../support/cached-device.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';
import { DAY } from '../../../support/rosters.ts';

const [OWNER, OWN, AUTHOR, OTHER] = [0, 1, 2, 3];
const group = groupOf(4);
const open = groupOf(4);
// Members of a group that anyone may join are strangers.
const [owner] = group.people;
if (owner) group.chain.add(owner, { kind: 'change', join: 'invite' });
const addressAt = (place: number) => group.people[place]?.address ?? '';
let clock = WRITTEN;
let device: CachedDevice;
beforeEach(() => {
  clock = WRITTEN;
  device = openDevice(addressAt(OWN), group.chain, () => clock);
});
afterEach(() => device.close());

const file = (number: number, size = 5_000) => ({
  key: encodeBase64Url(new Uint8Array(32).fill(number)),
  digest: encodeBase64Url(new Uint8Array(32).fill(number)),
  ...{ size, mediaType: 'image/webp', name: 'picture.webp' },
});

/** A body of a member. @param at milliseconds after the beginning @param n number of its id */
function body(by: number, at: number, n: number, fields: object): GroupBody {
  const { groupId, state } = group.chain;
  const roster = { epoch: state.epoch, hash: state.hash ?? '' };
  const frame = { id: idOf(n), sender: addressAt(by), sentAt: encodeTime(WRITTEN + at), seq: 0 };
  return { ...frame, groupId, roster, ...fields } as GroupBody;
}
const profile = (at: number, n: number, name: string, avatar: object | null = null) =>
  body(AUTHOR, at, n, { kind: 'profile', name, avatar });
const picture = (by: number, at: number, n: number, value: object | null, set?: object) =>
  body(by, at, n, { kind: 'picture', file: value, ...(set && { set }) });

const arrive = (each: GroupBody) =>
  device.context.transaction(() => receiveBody(device, each, clock)) ?? { changed: null };
const rows = () => device.db.prepare<[], number>('SELECT count(*) FROM faces').pluck().get();
const files = () => device.db.prepare<[], number>('SELECT count(*) FROM files').pluck().get();
const lines = () =>
  device.db
    .prepare<[], string>("SELECT event ->> 'type' FROM messages WHERE event IS NOT NULL ORDER BY id")
    .pluck()
    .all();

test('each order of arrival of profiles and group pictures ends with the greatest version', () => {
  const versions = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 60 })), {
    ...{ minLength: 1, maxLength: 8, selector: ([, n]) => n },
  });
  const shuffled = versions.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([all, order]) => {
      const one = openDevice(addressAt(OWN), group.chain, () => WRITTEN + 1_000);
      try {
        const key = ([at, n]: readonly [number, number]) =>
          `${at} ${Buffer.from(idOf(n), 'base64url').toString('hex')}`;
        for (const [at, n] of order)
          one.context.transaction(() => {
            receiveBody(one, profile(at, n, `Name ${at}-${n}`, n % 3 === 0 ? null : file(n)), WRITTEN);
            receiveBody(one, picture(OWNER, at, n, n % 3 === 0 ? null : file(n)), WRITTEN);
          });
        const [at, n] = [...all].sort((a, b) => (key(a) < key(b) ? 1 : -1))[0] ?? [0, 0];
        const { faces, files: kept } = one.context;
        expect(faces.get(addressAt(AUTHOR))).toMatchObject({ name: `Name ${at}-${n}` });
        const expected = n % 3 === 0 ? null : file(n);
        expect(faces.get(addressAt(AUTHOR))?.picture).toEqual(expected);
        expect(faces.get(group.chain.groupId)?.picture).toEqual(expected);
        // Both use the same file; files of earlier values were deleted.
        expect(kept.ids()).toHaveLength(expected === null ? 0 : 1);
      } finally {
        one.close();
      }
    }),
    { numRuns: 10 },
  );
});

test('C11: a thousand profiles of one person make one row, one file and one line a day', () => {
  arrive(profile(0, 0, 'Ann'));
  device.context.transaction(() => {
    for (let n = 1; n <= 1_000; n++) receiveBody(device, profile(n, n, `Ann ${n}`, file(n % 250)), clock);
  });
  expect([rows(), files()]).toEqual([1, 1]);
  expect(lines()).toEqual(['name']);
  clock += DAY;
  arrive(profile(5_000, 2_001, 'Anna'));
  arrive(profile(6_000, 2_002, 'Anne'));
  expect(lines()).toEqual(['name', 'name']);
});

test('pictures of one person are downloaded at most every ten minutes', () => {
  arrive(profile(0, 1, 'Ann', file(1)));
  arrive(profile(1, 2, 'Ann', file(2)));
  const due = (at: number) => device.context.fileTasks.due(clock + at, [], 10, []).map(({ key }) => key[0]);
  expect(due(0)).toEqual([]);
  expect(due(10 * 60_000)).toEqual([2]);
});

test('a replaced picture is shown until the new one is here, and a removed one is erased at once', () => {
  const { files: stored, contacts, conversations } = device.context;
  const shown = () => {
    const partner = conversations.get(device.conversationId)?.partner;
    const ids = [
      contacts.profile(addressAt(AUTHOR)).pictureId,
      partner?.kind === 'group' && partner.pictureId,
    ];
    return ids.map((id) => (id ? stored.get(id)?.key[0] : null));
  };
  let n = 0;
  const set = (value: object | null) => {
    n += 1;
    arrive(profile(n, 2 * n, 'Ann', value));
    arrive(picture(OWNER, n, 2 * n + 1, value));
  };
  const download = (number: number) =>
    setDownloaded(device.context, stored.ensure(file(number)), 'image/webp');
  set(file(1));
  expect(shown()).toEqual([null, null]);
  download(1);
  expect(shown()).toEqual([1, 1]);
  set(file(2));
  expect(shown(), 'the second is not here yet').toEqual([1, 1]);
  set(file(3));
  expect(shown(), 'the second never was here').toEqual([1, 1]);
  expect(files()).toBe(2);
  download(3);
  expect(shown()).toEqual([3, 3]);
  expect(files()).toBe(1);
  set(file(4));
  stored.setLost(stored.ensure(file(3)));
  expect(shown(), 'the third is not on the disk any more').toEqual([null, null]);
  download(4);
  set(file(5));
  set(null);
  expect(shown()).toEqual([null, null]);
  expect(files()).toBe(0);
  set(file(6));
  download(6);
  set(file(7));
  for (const owner of [addressAt(AUTHOR), group.chain.groupId]) device.context.faces.remove(owner);
  expect(files(), 'both files of a removed face').toBe(0);
});

test('a replaced picture is erased when the download of the new one fails for good, and the next reference is downloaded', () => {
  const { context } = device;
  const shown = () => context.contacts.profile(addressAt(AUTHOR)).pictureId;
  const idOfFile = (number: number) => context.files.ensure(file(number));
  const due = () => context.fileTasks.due(clock, [], 10, []).map(({ key }) => key[0]);
  arrive(profile(1, 1, 'Ann', file(1)));
  setDownloaded(context, idOfFile(1), 'image/webp');
  clock += DAY;
  arrive(profile(2, 2, 'Ann', file(2)));
  expect(shown()).not.toBeNull();
  expect(due()).toEqual([2]);
  setFailed(context, idOfFile(2), new Failure('file_gone').data);
  expect(shown(), 'initials').toBeNull();
  expect(files()).toBe(1);
  expect(due()).toEqual([]);
  clock += DAY;
  arrive(profile(3, 3, 'Ann', file(2)));
  expect(due(), 'the same picture, repeated').toEqual([2]);
  setFailed(context, idOfFile(2), new Failure('file_not_as_sent').data);
  clock += DAY;
  arrive(profile(4, 4, 'Ann', file(3)));
  expect(due()).toEqual([3]);
  setDownloaded(context, idOfFile(3), 'image/webp');
  expect(context.files.get(Number(shown()))?.key[0]).toBe(3);
});

test('a picture over 256 KiB and an invalid name are ignored', () => {
  arrive(profile(0, 1, 'Ann', file(1, 256 * 1024 + 1)));
  arrive(profile(0, 2, ''));
  arrive(picture(OWNER, 0, 3, file(1, 256 * 1024 + 1)));
  expect(rows()).toBe(0);
});

test('C11: only owner and admins set the picture of a group, and the line names them', () => {
  arrive(picture(OTHER, 1, 1, file(1)));
  expect(rows()).toBe(0);
  arrive(picture(OWNER, 2, 2, file(2)));
  expect(device.context.faces.get(group.chain.groupId)).toMatchObject({ sender: addressAt(OWNER) });
  expect(lines()).toEqual(['groupPicture']);
});

test('a picture repeated for a new member keeps its place in the order, and adds no line', () => {
  const set = { sentAt: encodeTime(WRITTEN + 5), id: idOf(1), sender: addressAt(OTHER) };
  arrive(picture(OWNER, 100, 2, file(1), set));
  expect(device.context.faces.get(group.chain.groupId)).toMatchObject({
    sentAt: set.sentAt,
    sender: set.sender,
  });
  // Set before the repetition was sent, but after the repeated value was set.
  arrive(picture(OWNER, 50, 3, file(3)));
  expect(device.context.faces.get(group.chain.groupId)?.picture).toEqual(file(3));
  expect(lines()).toEqual(['groupPicture']);
  const ahead = { sentAt: encodeTime(WRITTEN + 10_000), id: idOf(9), sender: addressAt(OTHER) };
  arrive(picture(OWNER, 200, 4, file(4), ahead));
  expect(device.context.faces.get(group.chain.groupId)?.picture).toEqual(file(3));
});

test('a picture that another own device sends or repeats names that device, whatever sender it claims', () => {
  const own = openDevice(addressAt(OWNER), group.chain, () => clock);
  try {
    const set = { sentAt: encodeTime(WRITTEN + 5), id: idOf(1), sender: addressAt(OTHER) };
    const setBy = () => [...own.context.faces.setBy(DEVICE)].map(({ owner }) => owner);
    own.context.transaction(() => receiveBody(own, picture(OWNER, 100, 2, file(1), set), clock));
    expect(setBy()).toEqual([group.chain.groupId]);
    own.context.transaction(() => receiveBody(own, picture(OTHER, 200, 3, file(2)), clock, true));
    expect(setBy()).toEqual([]);
  } finally {
    own.close();
  }
});

test('a blocked member changes neither name nor picture', () => {
  const { contacts, conversations } = device.context;
  conversations.ensure(contacts.ensure(addressAt(AUTHOR), clock).id, 'blocked', clock);
  arrive(profile(0, 1, 'Mallory', file(1)));
  expect(rows()).toBe(0);
});

const planned = () =>
  device.db.prepare<[], number>("SELECT count(*) FROM files WHERE task = 'download'").pluck().get();
const accept = (address: string) => {
  const { contacts, conversations } = device.context;
  return conversations.ensure(contacts.ensure(address, clock).id, 'accepted', clock).id;
};

test('C11: the picture of an unknown member of an open group is downloaded after their chat was accepted', () => {
  device.close();
  device = openDevice(addressAt(OWN), open.chain, () => clock);
  arrive(profile(0, 1, 'Ann', file(1)));
  expect([rows(), planned()]).toEqual([1, 0]);
  planDownloadsOfAccepted(device.context, accept(addressAt(AUTHOR)));
  expect(planned()).toBe(1);
});

test('C11: only the known fields of a picture are stored', () => {
  const thumbnail = encodeBase64Url(new Uint8Array(8_000));
  arrive(profile(0, 1, 'Ann', { ...file(1), width: 64, thumbnail, alt: 'x', more: 'x'.repeat(50_000) }));
  expect(device.context.faces.get(addressAt(AUTHOR))?.picture).toEqual({ ...file(1), width: 64 });
});

/** Stores the profile of someone with a large picture of their own. */
function storeOf(number: number, hasPicture = true): string {
  const owner = `0x${number.toString(16).padStart(40, '0')}`;
  const key = Buffer.alloc(32);
  key.writeUInt32BE(number);
  const picture = { ...file(1, 256 * 1024), key: encodeBase64Url(key) };
  const version = { sentAt: encodeTime(WRITTEN + number), id: idOf(number), sender: owner };
  const face = { ...version, name: 'Ann', about: null, picture: hasPicture ? picture : null };
  device.context.transaction(() => storeFace(device.context, owner, face));
  return owner;
}

test('the newest profiles of members without a chat are stored, and all of accepted people', () => {
  const friend = storeOf(0, false);
  accept(friend);
  device.context.transaction(() => {
    for (let number = 1; number <= 3_000; number++) storeOf(number, false);
  });
  expect(rows()).toBeLessThan(2_100);
  expect(device.context.faces.get(friend)).not.toBeNull();
});

test('pictures of members without a chat leave room for those of accepted people', () => {
  device.context.transaction(() => {
    for (let number = 1; number <= 300; number++) storeOf(number);
  });
  expect(planned()).toBe(257);
  const before = planned() ?? 0;
  accept(`0x${(2_001).toString(16).padStart(40, '0')}`);
  storeOf(2_001);
  expect(planned()).toBe(before + 1);
});
