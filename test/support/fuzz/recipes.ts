/**
 * A valid request for every row of the table of endpoints.
 */

import { randomBytes } from 'node:crypto';
import { contentDigest } from '../../../src/protocol/blob/digest.ts';
import { newFileKey } from '../../../src/protocol/blob/keys.ts';
import { BlobWriter } from '../../../src/protocol/blob/stream.ts';
import { importEd25519, sha256 } from '../../../src/protocol/crypto.ts';
import { deviceIdOf } from '../../../src/protocol/device-id.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import type { EndpointName } from '../../../src/protocol/endpoints.ts';
import { API_KEY_ENTITLEMENTS } from '../../../src/protocol/entitlements.ts';
import type { Envelope } from '../../../src/protocol/schemas/envelopes.ts';
import { Person, TestDevice } from '../person.ts';
import { beginning, TestRoster } from '../relay-rosters.ts';
import { newSession, type Resident, type World, type WorldBlob, type WorldGroup } from './world.ts';

/** Chooses one of a number of cases: 0 to count - 1. */
export type Choose = (count: number) => number;

/** The parts of a request before it is encoded. */
export interface Draft {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Bytes in the place of a body. */
  octets?: Buffer;
  headers?: Record<string, string>;
  /** A credential that this request is about. Otherwise any of the caller's is used. */
  token?: string;
  /** To be called when it has succeeded. */
  done?: () => void;
}

type Recipe = (world: World, caller: Resident, choose: Choose) => Draft | Promise<Draft>;

const NAMES = ['Kim', 'Zoë 🦊', 'x', 'y'.repeat(64), '龍', "Robert'); DROP TABLE account;--", '%00', '0'];
const NO_DIGEST = Buffer.alloc(32, 7).toString('base64url');
const HOUR = 3_600_000;

export const RECIPES: Record<EndpointName, Recipe> = {
  getRelay: () => ({}),
  createChallenge: (_world, { person }) => ({ body: { address: person.address } }),
  async createSession({ relay }, { person }, choose) {
    if (choose(4) === 0) return { body: await person.signedChallenge() };
    return { body: person.renewal(encodeTime(relay.now() - choose(60_000))) };
  },
  deleteSession: async (_world, { person }) => ({ token: await newSession(person) }),
  getMe: () => ({}),
  // Data of an account that no other recipe needs.
  deleteAccount: async ({ relay }) => ({ token: (await new Person(relay).login()).token }),
  cancelDeletion: () => ({}),
  createInvitation: ({ relay }, _caller, choose) => ({
    body: { uses: 1 + choose(20), expires: encodeTime(relay.now() + HOUR) },
  }),
  createReport: (world, caller, choose) => ({
    body: {
      about: { account: other(world, caller).person.address },
      reason: 'spam',
      ...some(choose, { text: 'again' }),
    },
  }),
  putHandle(world, caller, choose) {
    const base = choose(10) === 9 ? other(world, caller).handle : caller.handle.slice(0, 11);
    return { body: { handle: `${base}${['', '_a', '_b'][choose(3)]}`, ...some(choose, { public: true }) } };
  },
  putProfile: (_world, _caller, choose) => ({ body: { displayName: [...NAMES, null][choose(9)] } }),
  putDevices(_world, caller, choose) {
    const { person } = caller;
    const second = choose(2) === 1 ? new TestDevice() : null;
    const devices = second ? [person.device, second] : [person.device];
    const sealKeys = second ? [second.statement(person.address, person.relay.now())] : [];
    return {
      body: { deviceList: person.nextList(devices), sealKeys },
      done: () => {
        caller.second = second;
      },
    };
  },
  putSealKey(_world, { person }) {
    const { device } = person;
    const next = new TestDevice();
    const statement = Object.assign(Object.create(device), {
      sealing: next.sealing,
      sequence: device.sequence + 1,
      signing: device.signing,
    }) as TestDevice;
    return {
      params: { deviceId: device.id },
      body: { sealKey: statement.statement(person.address, person.relay.now()) },
      done: () => {
        device.sealing = next.sealing;
        device.sequence++;
      },
    };
  },
  putDeveloperAccess: (_world, _caller, choose) => ({ body: { enabled: choose(10) !== 9 } }),
  createApiKey: ({ relay }, _caller, choose) => ({
    body: {
      name: NAMES[choose(NAMES.length)],
      ...some(choose, { entitlements: API_KEY_ENTITLEMENTS.slice(choose(API_KEY_ENTITLEMENTS.length)) }),
      ...some(choose, { expiresAt: encodeTime(relay.now() + HOUR) }),
    },
  }),
  listApiKeys: () => ({}),
  revokeApiKey: (_world, { extraKeys }) => ({ params: { id: extraKeys[0] ?? 'none' } }),
  getHandle: (world, _caller, choose) => ({ params: { handle: world.resident(choose(4)).handle } }),
  searchHandles: (world, _caller, choose) => ({
    query: {
      q: `${NAMES[choose(NAMES.length)]} ${world.resident(choose(4)).handle}`.slice(
        choose(12),
        12 + choose(12),
      ),
      ...some(choose, { limit: String(1 + choose(50)) }),
      ...some(choose, { verified: '0' }),
      ...some(choose, { cursor: Buffer.from(`p ${choose(1000)}`).toString('base64url') }),
    },
  }),
  getKeys: (world, _caller, choose) => ({ params: { address: world.resident(choose(4)).person.address } }),
  getKeyHistory: (world, _caller, choose) => ({
    params: { address: world.resident(choose(4)).person.address },
    query: { ...some(choose, { after: String(choose(5)) }) },
  }),
  getKeyHistories: (world, _caller, choose) => ({
    body: {
      wants: Array.from({ length: 1 + choose(4) }, (_, index) => ({
        address: world.resident(index).person.address,
        after: choose(3),
        upTo: choose(6),
      })),
    },
  }),
  getPqKeys: (world, _caller, choose) => ({
    body: {
      digests: [
        world.resident(choose(4)).person.device.pq ?? NO_DIGEST,
        ...Array.from({ length: choose(3) }, () => NO_DIGEST),
      ],
    },
  }),
  sendEnvelopes: (world, caller, choose) => ({
    body:
      choose(3) === 2
        ? { envelopes: Array.from({ length: 1 + choose(4) }, () => envelope(world, caller, choose)) }
        : envelope(world, caller, choose),
  }),
  beginBlob(_world, caller, choose) {
    // Remembered only after it was begun: until then any account can begin it.
    const blob = (choose(3) === 0 ? null : caller.blob) ?? newBlob(choose);
    return {
      params: { id: blob.id },
      body: { size: blob.bytes.length },
      done: () => {
        caller.blob = blob;
      },
    };
  },
  async putBlobPart(_world, caller, choose) {
    const blob = await begunBlob(caller, choose);
    return { params: { id: blob.id, part: '0' }, ...partOf(blob) };
  },
  async completeBlob(world, caller, choose) {
    const blob = await begunBlob(caller, choose);
    if (choose(4) > 0) await uploadPart(world, caller, blob);
    return {
      params: { id: blob.id },
      done: () => {
        world.finished = blob.id;
        caller.blob = null;
      },
    };
  },
  getBlob: async (world, caller, choose) => ({
    params: { id: await finishedBlob(world, caller, choose) },
    headers: { ...some(choose, { range: `bytes=${choose(2_000)}-${choose(9_000)}` }) },
  }),
  adoptBlob: async (world, caller, choose) => ({ params: { id: await finishedBlob(world, caller, choose) } }),
  deleteBlob(world, caller, choose) {
    const mine = choose(2) === 0 ? caller.blob : null;
    const id = mine?.id ?? world.finished ?? newBlob(choose).id;
    return {
      params: { id },
      done: () => {
        if (mine) caller.blob = null;
        if (id === world.finished) world.finished = null;
      },
    };
  },
  getInbox: (_world, { person }, choose) => ({
    query: {
      device: person.device.id,
      ...some(choose, { limit: String(1 + choose(500)) }),
      // Rarely: a changed value may delay the call for seconds.
      ...(choose(12) === 11 && { wait: '0' }),
    },
  }),
  acknowledge: (_world, { person, unread }) => ({
    body: { device: person.device.id, ids: unread.length > 0 ? unread : ['A'.repeat(43)] },
  }),
  putNewDevice: (_world, { waiting }) => waiting ?? newComputer(),
  getNewDevice: async (_world, caller) => ({ params: await waitingComputer(caller) }),
  putLinkOffer: async (_world, caller) => ({
    params: await waitingComputer(caller),
    body: offerOf(caller.person),
    // The chosen value may already have changed, and no other is chosen afterwards.
    done: () => {
      caller.waiting = null;
    },
  }),
  getLinkOffer: async (_world, caller) => {
    const params = await waitingComputer(caller);
    const { relay, token } = caller.person;
    await relay.call('putLinkOffer', { token, params, body: offerOf(caller.person) });
    return { params };
  },
  searchGroups: (_world, _caller, choose) => ({
    query: {
      ...some(choose, { mine: '1' }),
      ...some(choose, { q: ['gro', 'A', '"', '%', 'group', '🦊'][choose(6)] ?? '' }),
      ...some(choose, { limit: String(1 + choose(50)) }),
      ...some(choose, { cursor: Buffer.from(`A group ${choose(100)}`).toString('base64url') }),
    },
  }),
  createGroup(world, caller, choose) {
    const { person } = caller;
    const name = (NAMES[choose(NAMES.length)] ?? '').slice(0, 20);
    const { groupId, body } = beginning(person, {
      name,
      ...some(choose, { description: `About\n${name}` }),
      ...some(choose, { password: 'correct horse' }),
      ...some(choose, { listed: false }),
    });
    const done = () => world.adopt(caller, TestRoster.of(person, groupId, body.entries));
    return { body, done };
  },
  putListing: (world, caller, choose) => ({
    params: { id: manageable(world, caller, choose).id },
    body: { listed: choose(2) === 0 },
  }),
  admitToGroup: (world, caller, choose) => ({
    params: { id: manageable(world, caller, choose).id },
    body: { ...some(choose, { password: NO_DIGEST }) },
  }),
  getRoster: (world, caller, choose) => ({
    params: { id: manageable(world, caller, choose).id },
    query: {
      ...some(choose, { after: String(choose(5)) }),
      ...some(choose, { limit: String(1 + choose(100)) }),
    },
  }),
  postRosterEntry(world, caller, choose) {
    const { roster } = manageable(world, caller, choose);
    const { person } = caller;
    const name = (NAMES[choose(NAMES.length)] ?? '').slice(0, 20);
    const entry = roster.make(person, { kind: 'change', ...some(choose, { name }) });
    return { params: roster.params, body: { entry }, done: () => roster.append(entry, person) };
  },
  getGroup: (world, caller, choose) => ({ params: { id: manageable(world, caller, choose).id } }),
  sendGroupEnvelopes(world, caller, choose) {
    const group = manageable(world, caller, choose);
    // Of a new group the creator is the only member.
    const recipients = choose(2) === 0 ? [group.creator] : world.residents.slice(0, 1 + choose(2));
    const sender = choose(4) === 3 ? caller : group.creator;
    return {
      params: { id: group.id },
      body: {
        envelopes: recipients.map(({ person }) => {
          const { asRequest: _, ...copy } = sender.person.seal(person, person.device, 'to all');
          return copy;
        }),
      },
    };
  },
  createToken: (world, caller, choose) => ({
    params: { id: manageable(world, caller, choose).id },
    body: { name: NAMES[choose(NAMES.length)] },
  }),
  revokeToken(world, caller, choose) {
    const { id, extraTokens } = manageable(world, caller, choose);
    return { params: { id, tokenId: extraTokens[0]?.id ?? 'none' } };
  },
};

function newComputer(): NonNullable<Resident['waiting']> {
  const { publicKey } = importEd25519(randomBytes(32));
  return {
    params: { deviceId: encodeBase64Url(deviceIdOf(publicKey)) },
    body: { key: encodeBase64Url(publicKey), name: 'Waxwing (Linux)' },
  };
}

/** A computer that waits, beside this person and with no other offer. */
async function waitingComputer(caller: Resident): Promise<{ deviceId: string }> {
  caller.waiting ??= newComputer();
  const { params, body } = caller.waiting;
  await caller.person.relay.call('putNewDevice', { params, body });
  return params;
}

/** The same each time: another one would be refused. */
function offerOf({ address }: Person): { address: string; list: { sequence: number; hash: string } } {
  return { address, list: { sequence: 1, hash: 'A'.repeat(43) } };
}

/** A sealed file of one part. */
function newBlob(choose: Choose): WorldBlob {
  const writer = new BlobWriter(newFileKey(), choose(5_000));
  const bytes = Buffer.from(writer.push(new Uint8Array(writer.layout.size)));
  return { id: writer.keys.id, bytes };
}

async function begunBlob(caller: Resident, choose: Choose): Promise<WorldBlob> {
  caller.blob ??= newBlob(choose);
  const { blob } = caller;
  const { relay, token } = caller.person;
  await relay.call('beginBlob', { token, params: { id: blob.id }, body: { size: blob.bytes.length } });
  return blob;
}

function partOf({ bytes }: WorldBlob): { octets: Buffer; headers: Record<string, string> } {
  return { octets: bytes, headers: { 'content-digest': contentDigest(sha256(bytes)) } };
}

async function uploadPart({ relay }: World, { person }: Resident, blob: WorldBlob): Promise<void> {
  const params = { id: blob.id, part: '0' };
  await relay.call('putBlobPart', { token: person.token, params, ...partOf(blob) });
}

/** Id of a finished blob, created once for all callers. */
async function finishedBlob(world: World, caller: Resident, choose: Choose): Promise<string> {
  if (world.finished !== null) return world.finished;
  const blob = await begunBlob(caller, choose);
  await uploadPart(world, caller, blob);
  await world.relay.call('completeBlob', { token: caller.person.token, params: { id: blob.id } });
  caller.blob = null;
  world.finished = blob.id;
  return blob.id;
}

/** The fields in half of the cases. None with a chooser that always returns 0. */
function some<T extends object>(choose: Choose, fields: T): T | object {
  return choose(2) === 1 ? fields : {};
}

function other(world: World, caller: Resident): Resident {
  return world.resident(world.residents.indexOf(caller) + 1);
}

/** Usually a group of the caller. */
function manageable(world: World, caller: Resident, choose: Choose): WorldGroup {
  if (choose(5) === 4) return world.groups[choose(world.groups.length)] ?? world.groupOf(caller);
  const own = world.groups.filter(({ creator }) => creator === caller);
  return own[choose(own.length)] ?? world.groupOf(caller);
}

function envelope(world: World, caller: Resident, choose: Choose): Envelope {
  const { person } = world.resident(world.residents.indexOf(caller) + 1 + choose(4));
  const sealed = caller.person.seal(person, person.device, 'x'.repeat(choose(600)), choose(4) === 3);
  if (choose(4) !== 3) return sealed;
  const { recipientDeviceKey: _, ...toAll } = sealed;
  return toAll;
}
