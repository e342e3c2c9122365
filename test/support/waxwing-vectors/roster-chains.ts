/**
 * Valid chains of entries, and the state of the group at the end of each: stated here, not computed.
 */
import { importEd25519, type PrivateKey } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import {
  admissionBytes,
  joinProofBytes,
  signLinkProof,
  signProof,
} from '../../../src/protocol/roster/proofs.ts';
import { fixedBytes } from '../identities.ts';
import {
  type Action,
  BEGINNING,
  DAY,
  HOUR,
  RosterChain,
  type RosterFixture,
  rosterFixture,
} from '../rosters.ts';

export const [ann, ben, cleo, dan, eve] = [
  rosterFixture('ann', 0x60),
  rosterFixture('ben', 0x64),
  rosterFixture('cleo', 0x68),
  rosterFixture('dan', 0x6c),
  rosterFixture('eve', 0x70),
] as const satisfies RosterFixture[];
export const people = [ann, ben, cleo, dan, eve];

export const passwordKey = importEd25519(fixedBytes(0x74));
export const linkKey = importEd25519(fixedBytes(0x75));
export const oldLinkKey = importEd25519(fixedBytes(0x76));
const textOf = (key: PrivateKey): string => encodeBase64Url(key.publicKey);
export const bot = { key: encodeBase64Url(fixedBytes(0x77)), name: 'Weather' };

export const OPEN_JOIN: Action = { kind: 'join' };
export const LEAVE: Action = { kind: 'leave' };
export const links = [
  { key: textOf(linkKey), expires: encodeTime(BEGINNING + 7 * DAY) },
  { key: textOf(oldLinkKey), expires: encodeTime(BEGINNING + HOUR) },
];

const proofBytes = (chain: RosterChain, person: RosterFixture, groupId = chain.groupId): Uint8Array =>
  joinProofBytes(groupId, chain.state.hash ?? '', person.address);

export function joinByPassword(
  chain: RosterChain,
  person: RosterFixture,
  key = passwordKey,
  groupId = chain.groupId,
): Action {
  return { kind: 'join', password: signProof(key, proofBytes(chain, person, groupId)) };
}

export function joinByLink(chain: RosterChain, person: RosterFixture, key = linkKey): Action {
  return { kind: 'join', link: signLinkProof(key, proofBytes(chain, person)) };
}

export function admissionByLink(chain: RosterChain, person: RosterFixture) {
  return signLinkProof(linkKey, admissionBytes(chain.groupId, person.address));
}

/** The stated facts about a group, with names in place of addresses. */
export interface RosterView {
  name: string;
  members: string[];
  creator: string | null;
  admins: string[];
  join: 'open' | 'password' | 'invite';
  bots: number;
  links: number;
  unsignedBots: boolean;
}

const view = (members: string[], rest: Partial<RosterView> = {}): RosterView => ({
  name: 'Walkers',
  members,
  creator: 'ann',
  admins: [],
  join: 'invite',
  bots: 0,
  links: 0,
  unsignedBots: false,
  ...rest,
});

const founded = new RosterChain(people, ann);
/** Another group of the same people. */
export const elsewhere = new RosterChain(people, ann, 'Walkers', 0x08);
const open = founded.copy().add(ann, { kind: 'change', join: 'open' });
const password = founded.copy().add(ann, { kind: 'change', join: 'password', joinKey: textOf(passwordKey) });
const linked = founded.copy().add(ann, { kind: 'change', links });
const full = open
  .copy()
  .add(ben, OPEN_JOIN)
  .add(cleo, OPEN_JOIN)
  .add(dan, OPEN_JOIN)
  .add(ann, {
    kind: 'change',
    admins: [ben.address],
    bots: [bot],
    links,
    unsignedBots: true,
    name: 'Walkers in the hills',
    description: 'Sundays.\nBring water.',
    timer: 86_400,
  });
const byPassword = password.copy();
byPassword.add(ben, joinByPassword(byPassword, ben));
const byLink = linked.copy();
byLink.add(ben, joinByLink(byLink, ben));
const byTicket = founded.copy();
byTicket.add(ben, { kind: 'join', ticket: byTicket.ticket(ann, ben) });
const byNewerTicket = founded.copy();
byNewerTicket.add(ben, { kind: 'join', ticket: byNewerTicket.ticket(ann, ben, { list: 2 }) });

/** From an earlier entry, before ben removed dan. */
export const ticketBeforeRemoval = full.ticket(ann, dan);
const removed = full.copy().add(ben, { kind: 'change', remove: [dan.address] });
const back = removed.copy();
back.add(dan, { kind: 'join', ticket: back.ticket(ben, dan) });
const uninvited = full.copy().add(ben, { kind: 'change', uninvite: [eve.address] });
export const ticketBeforeUninvite = full.ticket(ann, eve);
const newerList = full.copy().add(ann, { kind: 'change' }, { list: 2 });
const transferred = full.copy().add(ann, { kind: 'change', creator: cleo.address });
const toAdmin = full
  .copy()
  .add(ann, { kind: 'change', creator: ben.address, admins: [ann.address], remove: [dan.address] });
const demoted = full.copy().add(ann, { kind: 'change', admins: [] });
const creatorGone = full.copy().add(ann, LEAVE);
const leaderless = creatorGone.copy().add(ben, LEAVE);
const returned = creatorGone.copy().add(ann, OPEN_JOIN);
const restless = open.copy();
for (let times = 0; times < 5; times++) restless.add(ben, OPEN_JOIN).add(ben, LEAVE);

const HILLS = { name: 'Walkers in the hills', join: 'open' } as const;
const ALL = { ...HILLS, bots: 1, links: 2, unsignedBots: true, admins: ['ben'] };

export const chains = {
  founded: { why: 'the creator alone', chain: founded, view: view(['ann']) },
  open: { why: 'open to all', chain: open, view: view(['ann'], { join: 'open' }) },
  password: { why: 'by password', chain: password, view: view(['ann'], { join: 'password' }) },
  linked: { why: 'two links', chain: linked, view: view(['ann'], { links: 2 }) },
  byPassword: {
    why: 'joined by password',
    chain: byPassword,
    view: view(['ann', 'ben'], { join: 'password' }),
  },
  byLink: { why: 'joined by link', chain: byLink, view: view(['ann', 'ben'], { links: 2 }) },
  byTicket: { why: 'joined by ticket', chain: byTicket, view: view(['ann', 'ben']) },
  byNewerTicket: {
    why: 'joined by a ticket that names a newer list of its signer',
    chain: byNewerTicket,
    view: view(['ann', 'ben']),
  },
  full: {
    why: 'everything set; ben is an admin',
    chain: full,
    view: view(['ann', 'ben', 'cleo', 'dan'], ALL),
  },
  removed: { why: 'the admin removed dan', chain: removed, view: view(['ann', 'ben', 'cleo'], ALL) },
  back: {
    why: 'dan is back, by a ticket later than the removal',
    chain: back,
    view: view(['ann', 'ben', 'cleo', 'dan'], ALL),
  },
  uninvited: {
    why: 'the tickets of eve were withdrawn',
    chain: uninvited,
    view: view(['ann', 'ben', 'cleo', 'dan'], ALL),
  },
  newerList: {
    why: 'an empty change that names the list of ann without her second device',
    chain: newerList,
    view: view(['ann', 'ben', 'cleo', 'dan'], ALL),
  },
  transferred: {
    why: 'ann handed the group to cleo: no bots, no links, no unsigned messages',
    chain: transferred,
    view: view(['ann', 'ben', 'cleo', 'dan'], { ...HILLS, creator: 'cleo', admins: ['ben'] }),
  },
  toAdmin: {
    why: 'ann handed the group to the admin, became one and removed dan, all at once',
    chain: toAdmin,
    view: view(['ann', 'ben', 'cleo'], { ...HILLS, creator: 'ben', admins: ['ann'] }),
  },
  demoted: {
    why: 'ben is admin no longer',
    chain: demoted,
    view: view(['ann', 'ben', 'cleo', 'dan'], { ...ALL, admins: [] }),
  },
  creatorGone: {
    why: 'the creator left; the admin goes on',
    chain: creatorGone,
    view: view(['ben', 'cleo', 'dan'], { ...HILLS, creator: null, admins: ['ben'] }),
  },
  leaderless: {
    why: 'creator and admin left: only joins and leaves go on',
    chain: leaderless,
    view: view(['cleo', 'dan'], { ...HILLS, creator: null }),
  },
  returned: {
    why: 'the creator left and is back as any member',
    chain: returned,
    view: view(['ann', 'ben', 'cleo', 'dan'], { ...HILLS, creator: null, admins: ['ben'] }),
  },
  restless: {
    why: 'ben joined and left five times',
    chain: restless,
    view: view(['ann'], { join: 'open' }),
  },
} as const satisfies Record<string, { why: string; chain: RosterChain; view: RosterView }>;

export type ChainName = keyof typeof chains;
