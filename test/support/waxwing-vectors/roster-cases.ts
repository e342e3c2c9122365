/**
 * Entries after the chains, and the result of each.
 */
import { decodeBase64Url, decodeUtf8, encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { groupIdOf, signEntry } from '../../../src/protocol/roster/entry.ts';
import type { RosterBody, RosterEntry } from '../../../src/protocol/roster/forms.ts';
import { signProof } from '../../../src/protocol/roster/proofs.ts';
import type { RosterRefusal } from '../../../src/protocol/roster/verdict.ts';
import { fixedBytes } from '../identities.ts';
import {
  type Action,
  BEGINNING,
  DAY,
  HOUR,
  type How,
  MINUTE,
  type RosterFixture,
  signerOf,
  withBody,
} from '../rosters.ts';
import {
  ann,
  ben,
  bot,
  type ChainName,
  chains,
  cleo,
  dan,
  elsewhere,
  eve,
  joinByLink,
  joinByPassword,
  LEAVE,
  linkKey,
  links,
  OPEN_JOIN,
  oldLinkKey,
  passwordKey,
  ticketBeforeRemoval,
  ticketBeforeUninvite,
} from './roster-chains.ts';

export type Becomes =
  | { becomes: 'folded' }
  | { becomes: 'newer' }
  | { becomes: 'refused'; reason: RosterRefusal }
  | { becomes: 'wait'; for: 'clock'; until: string }
  | { becomes: 'wait'; for: 'list'; address: string; sequence: number };

export type RosterCase = { why: string; after: ChainName; now: string; entry: RosterEntry } & Becomes;

const folded: Becomes = { becomes: 'folded' };
const newer: Becomes = { becomes: 'newer' };
const refused = (reason: RosterRefusal): Becomes => ({ becomes: 'refused', reason });
const waitForList = (person: RosterFixture, sequence: number): Becomes => ({
  becomes: 'wait',
  for: 'list',
  address: person.address,
  sequence,
});

const chainOf = (after: ChainName) => chains[after].chain;
const NOW = encodeTime(BEGINNING + 400 * DAY);

function after(why: string, name: ChainName, entry: RosterEntry, what: Becomes, now = NOW): RosterCase {
  return { why, after: name, now, entry, ...what };
}

/** An act after a chain. */
function act(
  why: string,
  name: ChainName,
  who: RosterFixture,
  action: Action,
  what: Becomes,
  how: How = {},
): RosterCase {
  return after(why, name, chainOf(name).make(who, action, how), what);
}

const change = (fields: Omit<Extract<Action, { kind: 'change' }>, 'kind'>): Action => ({
  kind: 'change',
  ...fields,
});

/** An entry whose body is changed before it is signed: for bodies that our own types do not allow. */
function bent(name: ChainName, who: RosterFixture, action: Action, changes: object): RosterEntry {
  const body = JSON.parse(decodeUtf8(decodeBase64Url(chainOf(name).make(who, action).body)));
  return signEntry(signerOf(who).deviceKey, chainOf(name).groupId, { ...body, ...changes } as RosterBody);
}

/** Lists inside each other. */
function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

function forms(): RosterCase[] {
  const entry = chainOf('full').make(ann, change({}));
  const text = decodeUtf8(decodeBase64Url(entry.body));
  const broken = (why: string, body: string) =>
    after(why, 'full', withBody(entry, body), refused('malformed'));
  const wrong = (why: string, changes: object) =>
    after(why, 'full', bent('full', ann, change({}), changes), refused('malformed'));
  const right = (why: string, fields: object) =>
    after(why, 'full', bent('full', ann, change({}), fields), folded);
  const unknown = (why: string, changes: object) =>
    after(why, 'full', bent('full', ann, change({}), changes), newer);
  const ticket = chainOf('full').ticket(ann, eve);
  return [
    broken('no JSON', text.slice(1)),
    broken('white space', text.replace(',', ', ')),
    broken('a name twice', text.replace('{', '{"epoch":6,')),
    broken('a letter escaped that need not be', text.replace('change', '\\u0063hange')),
    broken('a number in another form', text.replace('"list":1', '"list":1.0')),
    broken('a name that is a number and does not stand first', text.replace(/}$/, ',"7":1}')),
    unknown('a name that is a number, first', { 7: 1 }),
    wrong('33 levels of objects and lists', { filler: nested(32) }),
    unknown('32 levels of objects and lists', { filler: nested(31) }),
    wrong('a kind in capitals', { kind: 'CHANGE' }),
    broken('no object', '[]'),
    wrong('a body of 16,385 bytes', { filler: 'x'.repeat(16_385 - text.length - ',"filler":""'.length) }),
    wrong('no `by`', { by: undefined }),
    wrong('list 0', { list: 0 }),
    wrong('a time without milliseconds', { issued: '2026-11-20T21:00:00Z' }),
    wrong('a name of 81 characters', { name: 'x'.repeat(81) }),
    right('a name of 80 characters of four bytes', { name: '🐦'.repeat(80) }),
    wrong('a name with a line break', { name: 'a\nb' }),
    wrong('a description of 1,001 characters', { description: 'x'.repeat(1_001) }),
    right('a description of 1,000 characters of three bytes', { description: '鳥'.repeat(1_000) }),
    wrong('nobody to remove', { remove: [] }),
    wrong('one address twice', { remove: [dan.address, dan.address] }),
    wrong('an address in capitals', { remove: [dan.address.toUpperCase().replace('0X', '0x')] }),
    wrong('nine admins', { admins: Array.from({ length: 9 }, (_, index) => `0x${`1${index}`.repeat(20)}`) }),
    wrong('a bot twice', { bots: [bot, bot] }),
    wrong('nine links', {
      links: Array.from({ length: 9 }, (_, index) => ({
        key: encodeBase64Url(fixedBytes(index)),
        expires: encodeTime(BEGINNING + DAY),
      })),
    }),
    wrong('a timer of 29 seconds', { timer: 29 }),
    wrong('an unknown way to join', { join: 'vote' }),
    after(
      'two proofs',
      'password',
      bent('password', ben, joinByPassword(chainOf('password'), ben), { ticket }),
      refused('malformed'),
    ),
    after(
      'a body of 16,384 bytes from a later version',
      'full',
      bent('full', ann, change({}), {
        filler: 'x'.repeat(16_384 - text.length - ',"filler":""'.length),
      }),
      newer,
    ),
    unknown('a kind from a later version', { kind: 'vote' }),
    unknown('a field from a later version', { colour: 'red' }),
    unknown('a field of another kind', { nonce: 'BwcHBwcHBwcHBwcHBwcHBw' }),
    unknown('a field from a later version, and beside it a value that is wrong today', {
      join: 'vote',
      voters: 3,
    }),
    after(
      'a field from a later version in a ticket',
      'full',
      bent('full', eve, OPEN_JOIN, { ticket: { ...ticket, seats: 2 } }),
      newer,
    ),
    after(
      'a kind from a later version that nobody signed',
      'full',
      { ...bent('full', ann, change({}), { kind: 'vote' }), signature: entry.signature },
      refused('wrong_signature'),
    ),
  ];
}

function places(): RosterCase[] {
  const full = chainOf('full');
  const bend = (changes: object) => bent('full', ann, change({}), changes);
  const at = full.state.issued + MINUTE;
  const entry = full.make(ann, change({}));
  const [first] = full.entries;
  if (!first) throw new Error('a chain has entries');
  return [
    after('the same epoch again', 'full', bend({ epoch: 6 }), refused('wrong_epoch')),
    after('an epoch left out', 'full', bend({ epoch: 8 }), refused('wrong_epoch')),
    after('an entry of before', 'full', first, refused('wrong_epoch')),
    after(
      'the next entry of another chain: a fork',
      'full',
      bend({ previous: chainOf('removed').hashAt(7) }),
      refused('wrong_previous'),
    ),
    after('no previous one', 'full', bend({ previous: null }), refused('wrong_previous')),
    after('a second beginning', 'full', bend({ kind: 'create' }), refused('misplaced_create')),
    act('issued with the last entry', 'full', ann, change({}), folded, { at: full.state.issued }),
    after(
      'issued a millisecond before the last entry',
      'full',
      bend({ issued: encodeTime(full.state.issued - 1) }),
      refused('issued_too_early'),
    ),
    after('issued five minutes ahead', 'full', entry, folded, encodeTime(at - 5 * MINUTE)),
    after(
      'issued five minutes and a millisecond ahead',
      'full',
      entry,
      { becomes: 'wait', for: 'clock', until: encodeTime(at - 5 * MINUTE) },
      encodeTime(at - 5 * MINUTE - 1),
    ),
  ];
}

function signers(): RosterCase[] {
  const full = chainOf('full');
  const entry = full.make(ann, change({}));
  return [
    act('a list that is not there yet', 'full', ann, change({}), waitForList(ann, 3), { list: 3 }),
    act('by the second device, which list 1 has', 'full', ann, change({}), folded, { device: 1 }),
    act(
      'by the second device, which list 2 has no longer',
      'full',
      ann,
      change({}),
      refused('unknown_device'),
      {
        device: 1,
        list: 2,
      },
    ),
    act(
      'by the dropped device under the list before, after an entry that names the newer one',
      'newerList',
      ann,
      change({}),
      refused('list_too_low'),
      { device: 1 },
    ),
    act(
      'by the dropped device under the list before, after a ticket that names the newer one',
      'byNewerTicket',
      ann,
      change({}),
      refused('list_too_low'),
      { device: 1 },
    ),
    act('by a device before its certificate ends', 'full', ann, change({}), folded, {
      device: 2,
      at: BEGINNING + HOUR - 1,
    }),
    act('by a device whose certificate has ended', 'full', ann, change({}), refused('device_expired'), {
      device: 2,
      at: BEGINNING + HOUR,
    }),
    after(
      'by a device of another person',
      'full',
      signEntry(signerOf(ben).deviceKey, full.groupId, JSON.parse(decodeUtf8(decodeBase64Url(entry.body)))),
      refused('unknown_device'),
    ),
    after(
      'signed by another device than it says',
      'full',
      { ...full.make(ann, change({}), { device: 1 }), deviceId: entry.deviceId },
      refused('wrong_signature'),
    ),
    after(
      'another body than the signed one',
      'full',
      withBody(entry, decodeUtf8(decodeBase64Url(full.make(ann, change({ join: 'invite' })).body))),
      refused('wrong_signature'),
    ),
  ];
}

function joins(): RosterCase[] {
  const [password, linked, restless] = [chainOf('password'), chainOf('linked'), chainOf('restless')];
  const firstJoin = BEGINNING + 2 * MINUTE;
  return [
    act('into an open group', 'open', ben, OPEN_JOIN, folded),
    act('a member joins', 'full', ben, OPEN_JOIN, refused('already_member')),
    act('into a group by invitation, without one', 'founded', ben, OPEN_JOIN, refused('proof_needed')),
    act('into a group by password, without it', 'password', ben, OPEN_JOIN, refused('proof_needed')),
    act('by password', 'password', ben, joinByPassword(password, ben), folded),
    act(
      'with another password',
      'password',
      ben,
      joinByPassword(password, ben, linkKey),
      refused('wrong_password'),
    ),
    act(
      'with the proof of another person',
      'password',
      ben,
      joinByPassword(password, cleo),
      refused('wrong_password'),
    ),
    after(
      'with a proof for an earlier place in the chain',
      'byPassword',
      chainOf('byPassword').make(cleo, joinByPassword(password, cleo)),
      refused('wrong_password'),
    ),
    act(
      'with a proof for another group of the same password',
      'password',
      ben,
      joinByPassword(password, ben, passwordKey, elsewhere.groupId),
      refused('wrong_password'),
    ),
    act(
      'by password into an open group',
      'open',
      ben,
      joinByPassword(chainOf('open'), ben),
      refused('no_password'),
    ),
    act('by link', 'linked', ben, joinByLink(linked, ben), folded),
    act('by link until it expires', 'linked', ben, joinByLink(linked, ben, oldLinkKey), folded, {
      at: BEGINNING + HOUR - 1,
    }),
    act(
      'by a link that has expired',
      'linked',
      ben,
      joinByLink(linked, ben, oldLinkKey),
      refused('link_expired'),
      {
        at: BEGINNING + HOUR,
      },
    ),
    act(
      'by a link that is not the group’s',
      'founded',
      ben,
      joinByLink(chainOf('founded'), ben),
      refused('unknown_link'),
    ),
    act(
      'by a link that ended with the creator',
      'transferred',
      eve,
      joinByLink(chainOf('transferred'), eve),
      refused('unknown_link'),
    ),
    act(
      'by a link, signed for another person',
      'linked',
      ben,
      joinByLink(linked, cleo),
      refused('wrong_link_signature'),
    ),
    act('the sixth join in 24 hours', 'restless', ben, OPEN_JOIN, refused('too_many_joins'), {
      at: firstJoin + DAY - 1,
    }),
    act('the sixth join, 24 hours after the first', 'restless', ben, OPEN_JOIN, folded, {
      at: firstJoin + DAY,
    }),
    act(
      'the sixth join in 24 hours, with a ticket',
      'restless',
      ben,
      {
        kind: 'join',
        ticket: restless.ticket(ann, ben),
      },
      refused('too_many_joins'),
    ),
    act('another person after these five', 'restless', cleo, OPEN_JOIN, folded),
    act('back after a removal, into an open group', 'removed', dan, OPEN_JOIN, refused('ticket_needed')),
    act(
      'back after a removal, by link',
      'removed',
      dan,
      joinByLink(chainOf('removed'), dan),
      refused('ticket_needed'),
    ),
    act('back after leaving, into an open group', 'creatorGone', ann, OPEN_JOIN, folded),
    act('into a group without creator and admins', 'leaderless', eve, OPEN_JOIN, folded),
  ];
}

function tickets(): RosterCase[] {
  const founded = chainOf('founded');
  const withTicket = (
    why: string,
    name: ChainName,
    who: RosterFixture,
    ticket: ReturnType<typeof founded.ticket>,
    what: Becomes,
    how: How = {},
  ) => act(why, name, who, { kind: 'join', ticket }, what, how);
  const ticket = founded.ticket(ann, ben);
  const issued = founded.state.issued + 1;
  const full = chainOf('full');
  const forged = signProof(linkKey, new Uint8Array(0));
  return [
    withTicket('by ticket', 'founded', ben, ticket, folded),
    withTicket('the ticket of another', 'founded', cleo, ticket, refused('ticket_for_another')),
    withTicket('for 30 days', 'founded', ben, ticket, folded, { at: issued + 30 * DAY - 1 }),
    withTicket('after 30 days', 'founded', ben, ticket, refused('ticket_expired'), { at: issued + 30 * DAY }),
    withTicket(
      'for 30 days and a millisecond',
      'founded',
      ben,
      founded.ticket(ann, ben, {}, 30 * DAY + 1),
      refused('ticket_life'),
    ),
    withTicket(
      'that ends when it begins',
      'founded',
      ben,
      founded.ticket(ann, ben, {}, 0),
      refused('ticket_life'),
    ),
    after(
      'before it was issued',
      'founded',
      bent('founded', ben, OPEN_JOIN, { ticket: founded.ticket(ann, ben, { at: BEGINNING + HOUR }) }),
      refused('ticket_not_yet'),
    ),
    withTicket(
      'after a removal, by a ticket from before',
      'removed',
      dan,
      ticketBeforeRemoval,
      refused('ticket_void'),
    ),
    withTicket(
      'after a removal, by a ticket of the same time',
      'removed',
      dan,
      full.ticket(ann, dan, { at: chainOf('removed').state.issued }),
      refused('ticket_void'),
    ),
    withTicket(
      'after a removal, by a ticket from after',
      'removed',
      dan,
      chainOf('removed').ticket(ann, dan),
      folded,
    ),
    withTicket(
      'after `uninvite`, by a ticket from before',
      'uninvited',
      eve,
      ticketBeforeUninvite,
      refused('ticket_void'),
    ),
    withTicket(
      'after `uninvite`, by a ticket from after',
      'uninvited',
      eve,
      chainOf('uninvited').ticket(ann, eve),
      folded,
    ),
    withTicket('by a ticket of an admin', 'full', eve, full.ticket(ben, eve), folded),
    withTicket('by a ticket of a member', 'full', eve, full.ticket(cleo, eve), refused('ticket_signer')),
    withTicket(
      'by a ticket of who was the creator once',
      'transferred',
      eve,
      full.ticket(ann, eve),
      refused('ticket_signer'),
    ),
    withTicket(
      'by a ticket of another group',
      'full',
      eve,
      elsewhere.ticket(ann, eve, { at: full.state.issued + 1 }),
      refused('wrong_ticket_signature'),
    ),
    withTicket(
      'by a ticket of a device that was dropped since',
      'newerList',
      eve,
      full.ticket(ann, eve, { device: 1 }),
      refused('ticket_device'),
    ),
    withTicket(
      'by a ticket of a device that its list does not have',
      'full',
      eve,
      full.ticket(ann, eve, { device: 1, list: 2 }),
      refused('ticket_device'),
    ),
    withTicket(
      'by a ticket of a list before the highest, by a device that stands in both',
      'newerList',
      eve,
      full.ticket(ann, eve),
      folded,
    ),
    withTicket(
      'by a ticket whose list is not there yet',
      'full',
      eve,
      full.ticket(ann, eve, { list: 3 }),
      waitForList(ann, 3),
    ),
    withTicket(
      'by a ticket of a device whose certificate had ended',
      'full',
      eve,
      full.ticket(ann, eve, { device: 2, at: BEGINNING + HOUR }),
      refused('ticket_device_expired'),
    ),
    withTicket(
      'by a ticket of a device whose certificate ended since',
      'full',
      eve,
      full.ticket(ann, eve, { device: 2 }),
      refused('ticket_device_expired'),
      { at: BEGINNING + HOUR },
    ),
    withTicket(
      'a ticket that nobody signed',
      'founded',
      ben,
      { ...ticket, signature: forged },
      refused('wrong_ticket_signature'),
    ),
    withTicket(
      'a ticket with another end than the signed one',
      'founded',
      ben,
      { ...ticket, expires: encodeTime(issued + DAY) },
      refused('wrong_ticket_signature'),
    ),
  ];
}

function changes(): RosterCase[] {
  const admin = (why: string, fields: Parameters<typeof change>[0], what: Becomes) =>
    act(why, 'full', ben, change(fields), what);
  const creator = (why: string, fields: Parameters<typeof change>[0], what: Becomes) =>
    act(why, 'full', ann, change(fields), what);
  return [
    creator('nothing', {}, folded),
    act('by someone who is no member', 'full', eve, change({}), refused('not_a_member')),
    act('by someone who was removed', 'removed', dan, change({}), refused('not_a_member')),
    act('by a member without rights', 'full', cleo, change({ name: 'Mine' }), refused('not_allowed')),
    act('nothing, by a member without rights', 'full', cleo, change({}), refused('not_allowed')),
    act('leaving without having been there', 'full', eve, LEAVE, refused('not_a_member')),
    act('leaving twice', 'creatorGone', ann, LEAVE, refused('not_a_member')),
    admin('an admin: nothing', {}, folded),
    admin(
      'an admin: all that it may',
      {
        remove: [cleo.address],
        uninvite: [eve.address],
        name: 'Hills',
        description: '',
        timer: 0,
      },
      folded,
    ),
    admin('an admin: the way to join', { join: 'open' }, refused('not_allowed')),
    admin('an admin: the password', { joinKey: bot.key }, refused('not_allowed')),
    admin('an admin: the admins', { admins: [] }, refused('not_allowed')),
    admin('an admin: bots', { bots: [] }, refused('not_allowed')),
    admin('an admin: links', { links: [] }, refused('not_allowed')),
    admin('an admin: unsigned bots', { unsignedBots: false }, refused('not_allowed')),
    admin('an admin: the creator', { creator: ben.address }, refused('not_allowed')),
    admin('an admin removes the creator', { remove: [ann.address] }, refused('remove_not_allowed')),
    admin('an admin removes itself', { remove: [ben.address] }, refused('remove_not_allowed')),
    act(
      'an admin removes an admin',
      'toAdmin',
      ann,
      change({ remove: [ben.address] }),
      refused('remove_not_allowed'),
    ),
    act('an admin goes on without a creator', 'creatorGone', ben, change({ remove: [dan.address] }), folded),
    act(
      'an admin makes itself the creator when there is none',
      'creatorGone',
      ben,
      change({ creator: ben.address }),
      refused('not_allowed'),
    ),
    act('who was the creator once', 'returned', ann, change({ name: 'Mine' }), refused('not_allowed')),
    act(
      'the one who handed the group over',
      'transferred',
      ann,
      change({ name: 'Mine' }),
      refused('not_allowed'),
    ),
    act('the new creator', 'transferred', cleo, change({ admins: [], bots: [bot] }), folded),
    creator('the creator removes an admin', { remove: [ben.address] }, folded),
    creator('the creator removes itself', { remove: [ann.address] }, refused('remove_not_allowed')),
    creator('removing someone who is no member', { remove: [eve.address] }, refused('remove_not_a_member')),
    creator('withdrawing the tickets of anybody', { uninvite: [eve.address, cleo.address] }, folded),
    creator('an admin who is no member', { admins: [eve.address] }, refused('admin_not_a_member')),
    creator(
      'an admin who is removed',
      { admins: [cleo.address], remove: [cleo.address] },
      refused('admin_not_a_member'),
    ),
    creator('the creator as an admin', { admins: [ann.address] }, refused('admin_not_a_member')),
    creator(
      'the new creator as an admin',
      { creator: cleo.address, admins: [cleo.address] },
      refused('admin_not_a_member'),
    ),
    creator('to itself', { creator: ann.address }, refused('wrong_creator')),
    creator('to someone who is no member', { creator: eve.address }, refused('wrong_creator')),
    creator(
      'to someone who is removed',
      { creator: cleo.address, remove: [cleo.address] },
      refused('wrong_creator'),
    ),
    creator(
      'a transfer that sets bots',
      { creator: cleo.address, bots: [bot] },
      refused('bots_with_transfer'),
    ),
    creator('a transfer that sets links', { creator: cleo.address, links }, refused('bots_with_transfer')),
    creator(
      'a transfer that lets bots be unsigned',
      { creator: cleo.address, unsignedBots: true },
      refused('bots_with_transfer'),
    ),
    creator('by password, without one', { join: 'password' }, refused('join_key_missing')),
    act('by password, with the one of before', 'password', ann, change({ join: 'password' }), folded),
  ];
}

/** Entries before there is any, for a group id. */
export function beginnings(): ({ why: string; groupId: string; entry: RosterEntry } & Becomes)[] {
  const [first] = chainOf('founded').entries;
  const [other] = elsewhere.entries;
  if (!first || !other) throw new Error('a chain has a beginning');
  const body = { ...JSON.parse(decodeUtf8(decodeBase64Url(first.body))), kind: 'leave' };
  const impostor = signEntry(signerOf(ann).deviceKey, null, { ...body, nonce: undefined, name: undefined });
  return [
    { why: 'the one that the group is named after', groupId: groupIdOfEntry(first), entry: first, ...folded },
    { why: 'of another group', groupId: groupIdOfEntry(first), entry: other, ...refused('wrong_group') },
    {
      why: 'a group named after an entry of another kind',
      groupId: groupIdOfEntry(impostor),
      entry: impostor,
      ...refused('misplaced_create'),
    },
  ];
}

function groupIdOfEntry(entry: RosterEntry): string {
  return groupIdOf(decodeBase64Url(entry.body));
}

/** Cases by their subject. */
export function rosterCases(): Record<string, RosterCase[]> {
  return {
    forms: forms(),
    places: places(),
    signers: signers(),
    joins: joins(),
    tickets: tickets(),
    changes: changes(),
  };
}
