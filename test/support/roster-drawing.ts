/** Random people with random acts on a group: each step is applied to the model and signed for the chain. */
import fc, { type Arbitrary } from 'fast-check';
import { importEd25519 } from '../../src/protocol/crypto.ts';
import { decodeTime, encodeBase64Url, encodeTime } from '../../src/protocol/encoding.ts';
import type { Ticket } from '../../src/protocol/roster/forms.ts';
import { joinProofBytes, signLinkProof, signProof } from '../../src/protocol/roster/proofs.ts';
import type { RosterState } from '../../src/protocol/roster/state.ts';
import { fixedBytes } from './identities.ts';
import {
  type ModelAction,
  type ModelChange,
  type ModelEntry,
  type ModelProof,
  type ModelTicket,
  RosterModel,
} from './roster-model.ts';
import {
  type Action,
  BEGINNING,
  DAY,
  HOUR,
  MINUTE,
  RosterChain,
  type RosterFixture,
  rosterFixture,
} from './rosters.ts';

export const people = [0x60, 0x64, 0x68, 0x6c].map((seed, index) => rosterFixture(`person ${index}`, seed));
const [founder] = people as [RosterFixture];
export const END = BEGINNING + 400 * DAY;

const passwordKey = importEd25519(fixedBytes(0x74));
const keys = { good: 0x75, brief: 0x76, other: 0x77 };
const BRIEF_LINK_ENDS = BEGINNING + 2 * HOUR;
const links = [
  { key: encodeBase64Url(importEd25519(fixedBytes(keys.good)).publicKey), expires: encodeTime(END) },
  {
    key: encodeBase64Url(importEd25519(fixedBytes(keys.brief)).publicKey),
    expires: encodeTime(BRIEF_LINK_ENDS),
  },
];

/** A random step. Numbers are used modulo the number of choices. */
interface Step {
  who: number;
  /** Choose permitted people and acts; else any. */
  aim: boolean;
  device: 0 | 1 | 2;
  list: number;
  after: number;
  broken?: 'epoch' | 'previous' | 'signature';
  what:
    | { do: 'join'; proof: number; right: boolean; link: 'good' | 'brief' | 'other'; ticket: number }
    | { do: 'leave' }
    | { do: 'change'; change: Drawn }
    | { do: 'ticket'; to: number; life: number; early: number };
}
type Drawn = Omit<ModelChange, 'remove' | 'uninvite' | 'admins' | 'creator'> & {
  remove?: number[];
  uninvite?: number[];
  admins?: number[];
  creator?: number;
};

const person = fc.nat({ max: 11 });
const some = fc.array(person, { minLength: 1, maxLength: 2 });
/** Usually absent: a change with many fields is rarely valid. */
const field = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, { arbitrary: value, weight: 1 });

const change: Arbitrary<Drawn> = fc
  .record({
    remove: field(some),
    uninvite: field(some),
    name: field(fc.constantFrom('Walkers', 'Runners')),
    join: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 2 },
      { arbitrary: fc.constantFrom('open', 'password', 'invite'), weight: 1 },
    ),
    joinKey: field(fc.constant(true as const)),
    admins: field(fc.array(person, { maxLength: 2 })),
    bots: field(fc.nat({ max: 2 })),
    links: field(fc.constant(true as const)),
    timer: field(fc.constantFrom(0, 30)),
    unsignedBots: field(fc.boolean()),
    creator: field(person),
  } as const)
  .map((drawn) => Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)));

const step: Arbitrary<Step> = fc.record({
  who: person,
  aim: fc.oneof({ arbitrary: fc.constant(true), weight: 6 }, { arbitrary: fc.constant(false), weight: 1 }),
  device: fc.oneof(
    { arbitrary: fc.constant(0 as const), weight: 4 },
    { arbitrary: fc.constantFrom(1, 2), weight: 1 },
  ),
  list: fc.oneof({ arbitrary: fc.constant(1), weight: 12 }, { arbitrary: fc.constantFrom(2, 3), weight: 1 }),
  after: fc.oneof(
    { arbitrary: fc.constantFrom(0, 1, MINUTE, 20 * MINUTE), weight: 10 },
    { arbitrary: fc.constantFrom(-1, 12 * HOUR, DAY - 1, DAY, 31 * DAY), weight: 1 },
  ),
  broken: fc.oneof(
    { arbitrary: fc.constant(undefined), weight: 30 },
    { arbitrary: fc.constantFrom('epoch', 'previous', 'signature'), weight: 1 },
  ),
  what: fc.oneof(
    {
      arbitrary: fc.record({
        do: fc.constant('join'),
        proof: fc.nat({ max: 7 }),
        right: fc.oneof(
          { arbitrary: fc.constant(true), weight: 5 },
          { arbitrary: fc.constant(false), weight: 1 },
        ),
        link: fc.constantFrom('good', 'brief', 'other'),
        ticket: fc.nat({ max: 100 }),
      } as const),
      weight: 6,
    },
    { arbitrary: fc.record({ do: fc.constant('leave') } as const), weight: 1 },
    { arbitrary: fc.record({ do: fc.constant('change'), change } as const), weight: 5 },
    {
      arbitrary: fc.record({
        do: fc.constant('ticket'),
        to: person,
        life: fc.constantFrom(HOUR, 30 * DAY, 30 * DAY, 30 * DAY, 30 * DAY + 1),
        early: fc.constantFrom(0, 0, 0, HOUR),
      } as const),
      weight: 3,
    },
  ),
}) as Arbitrary<Step>;

export interface Drawing {
  model: RosterModel;
  chain: RosterChain;
  tickets: { model: ModelTicket; ticket: Ticket }[];
}

export function begin(join: 'open' | 'password' | 'invite'): Drawing {
  const chain = new RosterChain(people, founder);
  const devices = {
    lists: { 1: [0, 1, 2], 2: [0, 2] },
    ends: [BEGINNING + 365 * DAY, BEGINNING + 365 * DAY, BEGINNING + HOUR],
  };
  const first: ModelEntry = {
    by: founder.address,
    device: 0,
    list: 1,
    at: BEGINNING,
    action: { kind: 'create' },
  };
  const drawing = { model: new RosterModel(devices, BRIEF_LINK_ENDS, first), chain, tickets: [] };
  const change = { join, joinKey: true, links: true } as const;
  const settled = play(drawing, {
    who: 0,
    aim: true,
    device: 0,
    list: 1,
    after: 0,
    what: { do: 'change', change },
  });
  if (settled?.verdict !== 'yes') throw new Error('the creator sets how to join');
  chain.append(settled.entry);
  return drawing;
}

const pick = <T>(items: readonly T[], index: number): T => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};
/** The wanted people; all people if there are none, or for a step without aim, which may be invalid. */
function among(wanted: readonly string[], aim: boolean): readonly string[] {
  return aim && wanted.length > 0 ? wanted : people.map(({ address }) => address);
}

const without = (all: readonly string[], gone: readonly (string | null)[]): string[] =>
  all.filter((address) => !gone.includes(address));

const personOf = (address: string): RosterFixture => {
  const found = people.find((each) => each.address === address);
  if (!found) throw new Error('nobody has this address');
  return found;
};

const outside = (model: RosterModel): string[] =>
  without(
    people.map(({ address }) => address),
    model.members,
  );

/** The actor of a step. */
function actor({ model }: Drawing, { who, aim, what }: Step): RosterFixture {
  const rulers = [...model.admins, ...(model.creator ? [model.creator, model.creator] : [])];
  const able =
    what.do === 'join'
      ? outside(model)
      : what.do === 'leave'
        ? without(model.members, [model.creator])
        : rulers;
  return personOf(pick(among(able, aim), who));
}

/** Falsifies an entry's place before it is signed, or its signature after. */
function make(
  chain: RosterChain,
  who: RosterFixture,
  action: Action,
  { at, list, device, broken }: ModelEntry,
) {
  const { state } = chain;
  const place: Partial<RosterState> =
    broken === 'epoch'
      ? { epoch: state.epoch + 1 }
      : broken === 'previous'
        ? { hash: encodeBase64Url(fixedBytes(9)) }
        : {};
  const bent = Object.assign(chain.copy(), {
    state: { ...state, ...place, issued: Math.min(state.issued, at) },
  });
  const entry = bent.make(who, action, { at, list, device: device as 0 | 1 | 2 });
  return broken === 'signature' ? { ...entry, signature: encodeBase64Url(new Uint8Array(64)) } : entry;
}

function joinOf(
  { chain, tickets, model }: Drawing,
  who: RosterFixture,
  what: Extract<Step['what'], { do: 'join' }>,
): { proof: ModelProof; action: Action } {
  const bytes = joinProofBytes(
    chain.groupId,
    chain.state.hash ?? '',
    what.right ? who.address : founder.address,
  );
  const right = what.right || who === founder;
  const wantsTicket = what.proof > 4 || (what.right && model.removedAt(who.address) !== null);
  const mine = tickets.filter(({ model: { to } }) => to === who.address || !what.right);
  if (wantsTicket && mine.length > 0) {
    // One of the last three: older ones are usually void.
    const { model: ticket, ticket: signed } = pick(mine.slice(-3), what.ticket);
    return { proof: { by: 'ticket', ticket }, action: { kind: 'join', ticket: signed } };
  }
  if (what.proof <= 1) return { proof: { by: 'nothing' }, action: { kind: 'join' } };
  if (what.proof <= 3) {
    const action: Action = { kind: 'join', password: signProof(passwordKey, bytes) };
    return { proof: { by: 'password', right }, action };
  }
  const link = signLinkProof(importEd25519(fixedBytes(keys[what.link])), bytes);
  return { proof: { by: 'link', link: what.link, right }, action: { kind: 'join', link } };
}

function changeOf(
  { model }: Drawing,
  drawn: Drawn,
  by: string,
  aim: boolean,
): { change: ModelChange; action: Action } {
  const { remove, uninvite, admins, creator, bots, links: linked, joinKey, ...rest } = drawn;
  const others = among(without(model.members, [by, model.creator]), aim);
  const choose = (from: readonly string[], indices: number[]) => [
    ...new Set(indices.map((index) => pick(from, index))),
  ];
  const left = among(without(others, remove ? choose(others, remove) : []), aim);
  const addresses = {
    ...(remove && { remove: choose(others, remove) }),
    ...(uninvite && { uninvite: choose(among(outside(model), aim), uninvite) }),
    ...(admins && { admins: choose(left, admins) }),
    ...(creator !== undefined && { creator: pick(left, creator) }),
  };
  const action: Action = {
    kind: 'change',
    ...rest,
    ...addresses,
    ...(joinKey && { joinKey: encodeBase64Url(passwordKey.publicKey) }),
    ...(linked && { links }),
    ...(bots !== undefined && {
      bots: Array.from({ length: bots }, (_, index) => ({
        key: encodeBase64Url(fixedBytes(index)),
        name: 'Bot',
      })),
    }),
  };
  const numbers = {
    ...(bots !== undefined && { bots }),
    ...(linked && { links: linked }),
    ...(joinKey && { joinKey }),
  };
  return { change: { ...rest, ...addresses, ...numbers }, action };
}

/** Makes one step in the model and in the chain, and returns both results. */
export function play(drawing: Drawing, step: Step) {
  const { model, chain, tickets } = drawing;
  const { aim, after, broken, what } = step;
  const who = actor(drawing, step);
  const list = aim ? Math.max(step.list, model.highestList(who.address)) : step.list;
  const device = aim && list === 2 && step.device === 1 && step.who % 2 === 0 ? 0 : step.device;
  const at = chain.state.issued + after;
  if (what.do === 'ticket') {
    const how = { device, list, at: at + 1 };
    const at0 = Math.max(how.at - what.early, 0);
    const to = personOf(pick(among(outside(model), aim), what.to));
    const signed = signEarly(chain, who, to, { ...how, at: at0 }, what.life);
    const [issued, expires] = [decodeTime(signed.issued), decodeTime(signed.expires)];
    tickets.push({
      model: { to: signed.address, from: signed.by, device, list, issued, expires },
      ticket: signed,
    });
    return null;
  }
  const made: { action: Action; modelled: ModelAction } =
    what.do === 'leave'
      ? { action: { kind: 'leave' }, modelled: { kind: 'leave' } }
      : what.do === 'join'
        ? (({ proof, action }) => ({ action, modelled: { kind: 'join' as const, proof } }))(
            joinOf(drawing, who, what),
          )
        : (({ change, action }) => ({ action, modelled: { kind: 'change' as const, change } }))(
            changeOf(drawing, what.change, who.address, aim),
          );
  const modelled: ModelEntry = {
    by: who.address,
    device,
    list,
    at,
    action: made.modelled,
    ...(broken && { broken }),
  };
  const entry = make(chain, who, made.action, modelled);
  // A join is issued no earlier than its ticket.
  const issued = decodeTime(JSON.parse(Buffer.from(entry.body, 'base64url').toString()).issued);
  const highest = model.highestList(who.address);
  const removedAt = model.removedAt(who.address);
  const verdict = model.append({ ...modelled, at: issued });
  return { entry, modelled: { ...modelled, at: issued }, verdict, highest, removedAt };
}

/** A ticket with its own date, although the chain may have advanced since. */
function signEarly(
  chain: RosterChain,
  from: RosterFixture,
  to: RosterFixture,
  how: { device: 0 | 1 | 2; list: number; at: number },
  life: number,
): Ticket {
  const past = Object.assign(chain.copy(), { state: { ...chain.state, issued: how.at - 1 } });
  return past.ticket(from, to, how, life);
}

/** The first join mode of a group. */
export const mode = fc.constantFrom('open', 'password', 'invite');
export const steps = fc.array(step, { minLength: 10, maxLength: 50, size: 'max' });
