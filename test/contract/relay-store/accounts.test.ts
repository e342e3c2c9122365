/**
 * Accounts on both engines: registration, the rights of credentials, and the effects of each deletion.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toNameText } from '../../../src/protocol/name-search.ts';
import {
  bytesFor,
  NOW,
  newMember,
  type OpenStore,
  openStore,
  StoreMember,
  unique,
} from '../../support/relay-store.ts';

const DAY = 24 * 3_600_000;

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open[Symbol.asyncDispose]());

/** An invitation code for a number of accounts. */
async function invite(uses: number, maker: number | null = null, expiresAt = NOW + DAY) {
  const name = unique();
  const digest = bytesFor(name, 32);
  const made = await open.store.createAccountInvitation(
    { id: name, digest, maker, uses, createdAt: NOW, expiresAt },
    3,
  );
  return { id: name, digest, made };
}

async function tryCode(invitation: Uint8Array | null, now = NOW) {
  const member = new StoreMember(open.store, unique());
  const admission = { policy: 'code', invitation } as const;
  return (await open.store.createSession(member.session('first', { admission, createdAt: now }), 8)).status;
}

function makeKey(member: StoreMember, name: string, most = 5, session = 'first') {
  return open.store.createApiKey(
    {
      id: member.id(name),
      digest: member.digest(name),
      account: member.account,
      session: member.id(session),
      name,
      prefix: 'sk_live_x',
      entitlements: ['envelopes:send'],
      createdAt: NOW,
      expiresAt: null,
    },
    most,
  );
}

test('a code opens as many accounts as it allows, also concurrently, and none after its expiry', async () => {
  const { digest } = await invite(3);
  const statuses = await Promise.all(Array.from({ length: 6 }, () => tryCode(digest)));
  expect(statuses.toSorted()).toEqual([...Array(3).fill('invitation_required'), ...Array(3).fill('opened')]);
  const short = await invite(1);
  expect(await tryCode(short.digest, NOW + DAY)).toBe('invitation_required');
  expect(await tryCode(null)).toBe('invitation_required');
  expect(await open.store.revokeAccountInvitation(short.id, NOW)).toBe(true);
  expect(await open.store.revokeAccountInvitation(short.id, NOW)).toBe(false);
  expect(await tryCode(short.digest)).toBe('invitation_required');
});

test('codes of a member are limited in number and blocked while the member is suspended', async () => {
  const member = await newMember(open.store);
  const codes = [];
  for (let count = 0; count < 4; count++) codes.push(await invite(1, member.account));
  expect(codes.map(({ made }) => made)).toEqual([true, true, true, false]);
  await open.store.setSuspended({ address: member.address }, true, NOW);
  expect(await tryCode(codes[0]?.digest ?? null)).toBe('invitation_required');
  await open.store.setSuspended({ address: member.address }, false, NOW);
  expect(await tryCode(codes[0]?.digest ?? null)).toBe('opened');
});

test('an allow list admits its addresses, and existing accounts are not checked', async () => {
  const member = new StoreMember(open.store, unique());
  const admission = { policy: 'list', invitation: null } as const;
  const login = async (session: string) =>
    (await open.store.createSession(member.session(session, { admission }), 8)).status;
  expect(await login('first')).toBe('registration_closed');
  expect(await open.store.hasAccount(member.address)).toBe(false);
  expect(await open.store.setAdmitted(member.address, true, NOW)).toBe(true);
  expect(await open.store.setAdmitted(member.address, true, NOW)).toBe(false);
  expect(await login('second')).toBe('opened');
  expect(await open.store.setAdmitted(member.address, false, NOW)).toBe(true);
  expect(await login('third')).toBe('opened');
});

test('a challenge is used once, and limited per network', async () => {
  const challenge = (nonce: string) => ({
    nonce,
    address: `0x${'11'.repeat(20)}`,
    issuedAt: NOW,
    expiresAt: NOW + 1,
  });
  const networkName = Buffer.alloc(16, 7).toString('base64url');
  const nonces = Array.from({ length: 4 }, unique);
  for (const nonce of nonces) await open.store.saveChallenge(challenge(nonce), networkName, 3);
  const claimed = [];
  for (const nonce of [...nonces, ...nonces])
    claimed.push((await open.store.consumeChallenge(nonce)) !== null);
  expect(claimed).toEqual([false, true, true, true, false, false, false, false]);
});

test('exceeding the session limit of a device ends its oldest, and a renewal is used once', async () => {
  const member = await newMember(open.store);
  const renewal = (issuedAt: number) => ({ deviceId: member.device('phone'), issuedAt });
  const ended = [];
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    const session = member.session(name, { renewal: renewal(NOW + index) });
    ended.push(await open.store.createSession(session, 2));
  }
  expect(ended).toEqual([
    { status: 'opened', ended: [] },
    { status: 'opened', ended: [] },
    { status: 'opened', ended: [member.id('a')] },
  ]);
  const again = member.session('d', { renewal: renewal(NOW) });
  expect(await open.store.createSession(again, 2)).toEqual({ status: 'refused' });
  expect(await open.store.findCredential(member.digest('a'), NOW)).toBeNull();
  expect(await open.store.findCredential(member.digest('first'), NOW)).toMatchObject({ byWallet: true });
  expect(await open.store.findCredential(member.digest('b'), NOW + 31 * DAY)).toBeNull();
});

test('API keys need unlocked access, are limited in number, and end with their device', async () => {
  const member = await newMember(open.store);
  await member.publish(['phone', 'tablet']);
  const renewal = { deviceId: member.device('tablet'), issuedAt: NOW };
  await open.store.createSession(member.session('of tablet', { renewal }), 8);
  const works = async (name: string) => (await open.store.findCredential(member.digest(name), NOW)) !== null;
  expect(await makeKey(member, 'one')).toBe('made');
  expect(await works('one')).toBe(false);
  await open.store.setDeveloperAccess(member.account, true, NOW);
  expect(await works('one')).toBe(true);
  expect(await makeKey(member, 'two', 5, 'of tablet')).toBe('made');
  expect(await makeKey(member, 'three', 2)).toBe('full');
  expect(await makeKey(member, 'three', 5, 'no session')).toBe('session_ended');
  const dropped = await member.publish(['phone']);
  expect(dropped).toMatchObject({ status: 'published', dropped: { queues: [expect.any(Number)] } });
  expect([await works('one'), await works('two'), await works('of tablet')]).toEqual([true, false, false]);
  expect(await open.store.revokeApiKey(member.account, member.id('one'), NOW)).toBe(true);
  expect(await open.store.revokeApiKey(member.account, member.id('none'), NOW)).toBe(false);
  expect(await works('one')).toBe(false);
});

test('one of many concurrent claims for a handle succeeds, and the handle of a deleted account is reserved for a year', async () => {
  const handle = `h${unique()}`;
  const members = await Promise.all([0, 1, 2].map(() => newMember(open.store)));
  const claims = await Promise.all(
    members.map(({ account }) => open.store.claimHandle(account, handle, true, NOW)),
  );
  expect(claims.toSorted()).toEqual([false, false, true]);
  const owner = members[claims.indexOf(true)];
  const other = members[claims.indexOf(false)];
  if (!owner || !other) throw new Error('one of them has it');
  expect(await open.store.findHandle(handle)).toMatchObject({ address: owner.address });
  await open.store.deleteAccount(owner.account, null, NOW);
  const claim = (now: number) => open.store.claimHandle(other.account, handle, true, now);
  expect(await open.store.findHandle(handle)).toBeNull();
  expect(await claim(NOW + 364 * DAY)).toBe(false);
  expect(await claim(NOW + 366 * DAY)).toBe(true);
});

test('a handle that was given up is reserved for its owner for a year, and an account reserves its last two', async () => {
  const [ann, eve] = [await newMember(open.store), await newMember(open.store)];
  const mark = unique();
  let now = NOW;
  const claim = ({ account }: StoreMember, name: string) =>
    open.store.claimHandle(account, `${name}${mark}`, true, now++);
  const claimed = async (...names: string[]) => {
    const claims = [];
    for (const name of names) claims.push(await claim(eve, name));
    return claims.filter((claimed) => claimed).length;
  };
  for (const name of ['a', 'a', 'b']) await claim(ann, name);
  expect(await open.store.findHandle(`a${mark}`)).toBeNull();
  expect(await claimed('a', 'b')).toBe(0);
  expect(await claim(ann, 'a')).toBe(true);
  expect(await claimed('a', 'b')).toBe(0);
  for (const name of ['c', 'd']) await claim(ann, name);
  expect(await claimed('a', 'c', 'd')).toBe(0);
  expect(await claimed('b')).toBe(1);
  await open.store.deleteAccount(ann.account, null, now++);
  expect(await claimed('c', 'd')).toBe(0);
  await open.store.createSession(ann.session(unique(), { reopens: true, createdAt: now }), 8);
  // An account without a handle gives up none with a claim, and no reservation ends.
  expect(await claim(ann, 'e')).toBe(true);
  expect(await claimed('c', 'd')).toBe(0);
  now = NOW + 364 * DAY;
  expect(await claimed('c', 'd')).toBe(0);
  now = NOW + 366 * DAY;
  expect(await claimed('c', 'd')).toBe(2);
});

test('a stolen device cannot free a handle of many days by claims of others', async () => {
  const [ann, eve] = [await newMember(open.store), await newMember(open.store)];
  const mark = unique();
  const claim = ({ account }: StoreMember, name: string, now: number) =>
    open.store.claimHandle(account, `${name}${mark}`, true, now);
  await claim(ann, 'known', NOW);
  for (const [index, name] of ['b', 'c', 'd', 'e'].entries()) await claim(ann, name, NOW + 9 * DAY + index);
  expect(await claim(eve, 'known', NOW + 10 * DAY)).toBe(false);
  expect(await claim(eve, 'd', NOW + 10 * DAY), 'the newest').toBe(false);
  // Two of many days: the current one had its place for a moment only.
  await claim(ann, 'f', NOW + 30 * DAY);
  for (const name of ['g', 'h']) await claim(ann, name, NOW + 30 * DAY);
  const ofEve = [];
  for (const name of ['known', 'e', 'f']) ofEve.push(await claim(eve, name, NOW + 31 * DAY));
  expect(ofEve).toEqual([false, false, true]);
});

test('a device list out of sequence conflicts, and so does a foreign or older seal key', async () => {
  const [ann, ben] = [await newMember(open.store), await newMember(open.store)];
  const publish = (sequence: number, after: number) =>
    open.store.publishDevices({
      account: ann.account,
      session: ann.id('first'),
      deviceList: ann.list(['phone'], sequence),
      after,
      sealKeys: [],
      now: NOW,
    });
  expect((await publish(1, 0)).status).toBe('published');
  expect((await publish(2, 0)).status).toBe('list_conflict');
  expect((await publish(3, 2)).status).toBe('list_conflict');
  const both = await Promise.all([publish(2, 1), publish(2, 1)]);
  expect(both.map(({ status }) => status)).toEqual(['published', 'published']);
  const key = (statement: object) =>
    open.store.publishSealKey(
      ann.account,
      { sealKey: { ...ann.statement('phone', 2), ...statement }, pqKey: null },
      NOW,
    );
  expect(await key({ key: ben.sealKey('phone') })).toBe('conflict');
  expect(await key({ deviceId: ben.device('phone') })).toBe('unknown_device');
  expect(await key({})).toBe('published');
  expect(await key({})).toBe('published');
  expect(await key({ sequence: 1 })).toBe('conflict');
});

test('deleting an account removes its credentials, queues and handle, and keeps its lists; only its wallet reopens it', async () => {
  const [ann, ben] = [await newMember(open.store), await newMember(open.store)];
  await ben.send(ann, ['lost']);
  const queue = await ann.queue();
  expect(await open.store.deleteAccount(ann.account, NOW + 5, NOW)).toEqual({
    status: 'waiting',
    deletesAt: NOW + 5,
  });
  expect(await open.store.deleteAccount(ann.account, NOW + 9, NOW)).toMatchObject({ deletesAt: NOW + 5 });
  await open.store.cancelDeletion(ann.account, NOW);
  expect((await open.store.readProfile(ann.account)).deletesAt).toBeNull();
  await open.store.deleteAccount(ann.account, NOW + 5, NOW);
  expect(await open.store.deleteDueAccount(NOW + 4)).toBeNull();
  expect(await open.store.deleteDueAccount(NOW + 5)).toEqual({
    credentials: [ann.id('first')],
    queues: [queue],
  });
  expect(await open.store.findCredential(ann.digest('first'), NOW)).toBeNull();
  expect(await open.store.readDevices(ann.address)).toMatchObject({ deleted: true, sealKeys: [] });
  const again = (more: object) => open.store.createSession(ann.session(unique(), more), 8);
  expect((await again({})).status).toBe('deleted');
  expect((await again({ reopens: true })).status).toBe('opened');
  await expect(open.store.claimHandle(ben.account, `b${unique()}`, true, NOW)).resolves.toBe(true);
});

test('accounts due at the same time are deleted oldest first', async () => {
  const members = [];
  for (let count = 0; count < 3; count++) members.push(await newMember(open.store));
  const due = NOW - DAY;
  // Requested in another order than that of their creation.
  for (const { account } of members.toReversed()) await open.store.deleteAccount(account, due, NOW - 2 * DAY);
  for (const member of members) {
    expect((await open.store.deleteDueAccount(due))?.credentials).toEqual([member.id('first')]);
  }
});

test('a computer waits for linking until its expiry, and the first offer wins', async () => {
  const id = bytesFor(unique(), 16).toString('base64url');
  const link = { id, key: bytesFor(id, 32).toString('base64url'), name: 'Laptop', expiresAt: NOW + 100 };
  const offer = { address: `0x${'22'.repeat(20)}`, list: { sequence: 1, hash: 'x' } };
  expect(await open.store.saveOffer(id, offer, NOW)).toBe('gone');
  expect(await open.store.saveLink(link, NOW)).toEqual({ status: 'waiting', expiresAt: NOW + 100 });
  expect(await open.store.saveLink({ ...link, expiresAt: NOW + 200 }, NOW + 50)).toMatchObject({
    expiresAt: NOW + 100,
  });
  expect(await open.store.saveLink({ ...link, name: 'Other' }, NOW)).toEqual({ status: 'conflict' });
  expect(await open.store.saveOffer(id, offer, NOW)).toBe('offered');
  expect(await open.store.saveOffer(id, offer, NOW)).toBe('offered');
  const other = { ...offer, address: `0x${'33'.repeat(20)}` };
  expect(await open.store.saveOffer(id, other, NOW)).toBe('conflict');
  expect(await open.store.findLink(id, NOW)).toEqual({ ...link, offer });
  expect(await open.store.findLink(id, NOW + 100)).toBeNull();
});

test('names are found by prefix and by substring, in pages', async () => {
  const mark = unique().slice(0, 6);
  const handles = [`${mark}_a`, `${mark}_b`, `x_${mark}`, `y_${mark}_z`].map((each) => `h${each}`);
  const by = (await newMember(open.store)).account;
  for (const handle of handles) {
    const { account } = await newMember(open.store);
    await open.store.claimHandle(account, handle, true, NOW);
  }
  const hidden = await newMember(open.store);
  await open.store.claimHandle(hidden.account, `h${mark}_hidden`, false, NOW);
  const pages = async (text: string, limit: number) => {
    const found = [];
    for (let after: string | null = null; ; ) {
      const page = await open.store.searchHandles({ by, text, name: null, verified: null, limit, after });
      found.push(...page.handles.map(({ handle }) => handle));
      if (page.next === null) return found;
      after = page.next;
    }
  };
  for (const limit of [1, 2, 50]) {
    expect(await pages(`h${mark}`, limit)).toEqual(handles.slice(0, 2));
    expect(await pages(`_${mark}`, limit)).toEqual(handles.slice(2));
    expect(await pages(mark, limit)).toEqual(handles);
  }
  await open.store.setHandleVerified(handles[1] ?? '', true, NOW);
  const verified = await open.store.searchHandles({
    by,
    text: mark,
    name: null,
    verified: true,
    limit: 9,
    after: null,
  });
  expect(verified.handles.map(({ handle }) => handle)).toEqual([handles[1]]);
});

test('people with public handles are found by any word of their display names, once each, in pages', async () => {
  const mark = unique().slice(0, 6);
  const by = (await newMember(open.store)).account;
  const called = async (handle: string, displayName: string, isPublic = true) => {
    const { account } = await newMember(open.store);
    await open.store.setDisplayName(account, displayName);
    await open.store.claimHandle(account, `${handle}${mark}`, isPublic, NOW);
    return account;
  };
  await called('a', `Zoë ${mark}ß Müller`);
  await called('b', `${mark.toUpperCase()}ss-Zoe ${mark}ss`);
  await called('c', `Other ${mark}`);
  await called('d', `${mark}ss`, false);
  const gone = await called('e', `${mark}ss`);
  const pages = async (text: string, limit: number, verified: boolean | null = null) => {
    const found = [];
    for (let after: string | null = null; ; ) {
      const query = { by, text: null, name: toNameText(text), verified, limit, after };
      const page = await open.store.searchHandles(query);
      found.push(...page.handles.map(({ handle }) => handle.slice(0, 1)));
      if (page.next === null) return found.sort().join('');
      after = page.next;
    }
  };
  for (const limit of [1, 2, 50]) {
    expect(await pages(`${mark}SS`, limit)).toBe('abe');
    expect(await pages(mark, limit)).toBe('abce');
    expect(await pages(`${mark}ss, muller`, limit)).toBe('a');
    expect(await pages(`x${mark}`, limit)).toBe('');
  }
  await open.store.setHandleVerified(`b${mark}`, true, NOW);
  expect([await pages(mark, 1, true), await pages(mark, 1, false)]).toEqual(['b', 'ace']);
  // Found by handle and by name: handles come first, without duplicates.
  const both = { by, text: `c${mark}`, name: mark, verified: null, limit: 9, after: null };
  const { handles } = await open.store.searchHandles(both);
  expect(handles.map(({ handle }) => handle.slice(0, 1)).join('')).toMatch(/^c[abe]{3}$/);
  await open.store.setDisplayName(gone, 'Renamed');
  expect([await pages(`${mark}ss`, 9), await pages('renamed', 9)]).toEqual(['ab', 'e']);
  await open.store.claimHandle(gone, `e${mark}`, false, NOW);
  expect(await pages('renamed', 9)).toBe('');
  await open.store.claimHandle(gone, `e${mark}`, true, NOW);
  await open.store.deleteAccount(gone, null, NOW);
  expect(await pages('renamed', 9)).toBe('');
});

test('the audit log has each change in order, is intact, and ends at its first entry', async () => {
  await using own = await openStore();
  const { store } = own;
  const member = await newMember(store);
  for (const [index, enabled] of [true, false, true].entries()) {
    await store.setDeveloperAccess(member.account, enabled, NOW + index);
  }
  await store.setSuspended({ address: member.address }, true, NOW + 9);
  const rows = await store.readAudit(50);
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1));
  expect(rows.slice(-3).map(({ action, actor }) => [action, actor])).toEqual([
    ['developer_access.locked', member.address],
    ['developer_access.unlocked', member.address],
    ['account.suspended', 'operator'],
  ]);
  const whole = await store.verifyAudit();
  expect(whole).toEqual({ rows: rows.length, expired: 0, head: rows.at(-1)?.hash, problem: null });
  while (await store.expire(NOW, 0, NOW + 1));
  const left = await store.verifyAudit();
  expect(left).toMatchObject({ head: whole.head, problem: null });
  expect([left.expired > 0, left.rows + left.expired]).toEqual([true, rows.length]);
});
