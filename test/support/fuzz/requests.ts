/**
 * Requests as a well-behaved client makes them: for each row of the table of endpoints, one that fits its schemas.
 */
import fc from 'fast-check';
import { ApiKeyEntitlement } from '../../../src/protocol/credentials.ts';
import type { EndpointName } from '../../../src/protocol/endpoints.ts';
import type { World } from './world.ts';

export interface FuzzRequest {
  name: EndpointName;
  token: string | null;
  params: Record<string, string>;
  /** In wire form. */
  query: Record<string, string>;
  body: unknown;
}

type Parts = Partial<Omit<FuzzRequest, 'name'>>;

const label = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => `x${text.replace(/[\p{C}\p{Z}]/gu, '')}`);
const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array) => Buffer.from(array).toString('base64url'));
const handle = fc.stringMatching(/^[a-z][a-z0-9_]{2,31}$/);
const limit = fc.integer({ min: 1, max: 50 }).map(String);
const empty = fc.constant({});
/** Hashing one takes the relay as long as hundreds of other calls. */
const rarePassword = fc.oneof(
  { weight: 60, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 20 }) },
);

function optional<T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.oneof(
    fc.constant({}),
    value.map((given) => ({ [name]: given })),
  );
}

function merged(...parts: fc.Arbitrary<object>[]): fc.Arbitrary<Record<string, never>> {
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all));
}

/** One arbitrary for each endpoint: a new row of the table does not compile until it has its own. */
function validParts(world: World): Record<EndpointName, fc.Arbitrary<Parts>> {
  const { ann, ben, annKey, botToken, group, closedGroup } = world;
  const session = { token: ann.token };
  const reader = fc.constantFrom(ann.token, ben.token, annKey);
  const envelope = fc.constantFrom(...world.envelopes);
  const copy = envelope.map(({ asRequest: _, ...fields }) => fields);
  const ids = fc.array(bytes(32), { minLength: 1, maxLength: 3 });
  const groupParams = { params: { id: group.id } };
  return {
    getRelay: empty,
    createChallenge: fc.constant({ body: { address: ann.address } }),
    createSession: bytes(64).map((signature) => ({
      body: {
        address: ann.address,
        deviceId: ann.device.id,
        issuedAt: new Date(world.relay.now()).toISOString(),
        signature,
      },
    })),
    deleteSession: fc.constantFrom(...world.spareSessions).map((token) => ({ token, body: undefined })),
    getMe: fc.constantFrom(ann.token, annKey, botToken).map((token) => ({ token })),
    putHandle: merged(
      handle.map((text) => ({ handle: text })),
      optional('public', fc.boolean()),
    ).map((body) => ({
      ...session,
      body,
    })),
    putProfile: fc.option(label).map((displayName) => ({ ...session, body: { displayName } })),
    putDevices: fc.constant({ ...session, body: { deviceList: world.deviceList, sealKeys: [] } }),
    putSealKey: fc.constant({
      ...session,
      params: { deviceId: ann.device.id },
      body: { sealKey: world.sealKey },
    }),
    putDeveloperAccess: fc.constant({ ...session, body: { enabled: true } }),
    createApiKey: merged(
      label.map((name) => ({ name })),
      optional(
        'entitlements',
        fc.uniqueArray(fc.constantFrom(...ApiKeyEntitlement.options), { minLength: 1 }),
      ),
      optional('expiresAt', fc.constantFrom(null, '2999-01-01T00:00:00.000Z')),
    ).map((body) => ({ token: ben.token, body })),
    listApiKeys: fc.constant(session),
    deleteApiKey: bytes(16).map((id) => ({ ...session, params: { id } })),
    getHandle: fc.tuple(reader, handle).map(([token, text]) => ({ token, params: { handle: text } })),
    searchHandles: merged(
      fc.stringMatching(/^[a-z0-9_]{1,8}$/).map((q) => ({ q })),
      optional('limit', limit),
      optional('verified', fc.constantFrom('0', '1')),
    ).map((query) => ({ token: annKey, query })),
    getKeys: fc
      .tuple(reader, fc.constantFrom(ann.address, ben.address))
      .map(([token, address]) => ({ token, params: { address } })),
    sendEnvelopes: fc
      .oneof(
        envelope,
        fc.array(envelope, { minLength: 1, maxLength: 4 }).map((envelopes) => ({ envelopes })),
      )
      .map((body) => ({ token: annKey, body })),
    getInbox: merged(optional('limit', limit), fc.constant({ device: ben.device.id, wait: '0' })).map(
      (query) => ({
        token: ben.token,
        query,
      }),
    ),
    acknowledge: ids.map((all) => ({ token: ben.token, body: { device: ben.device.id, ids: all } })),
    searchGroups: merged(
      optional('q', label),
      optional('limit', limit),
      optional('mine', fc.constantFrom('0', '1')),
    ).map((query) => ({ token: annKey, query })),
    createGroup: fc.tuple(label, rarePassword).map(([name, password]) => ({
      ...session,
      body: { name, ...(password !== undefined && { password }) },
    })),
    changeGroup: merged(optional('name', label), optional('description', fc.string({ maxLength: 50 }))).map(
      (body) => ({
        ...session,
        ...groupParams,
        body,
      }),
    ),
    getGroup: fc.constantFrom(ann.token, annKey, botToken).map((token) => ({ token, ...groupParams })),
    joinGroup: fc
      .constantFrom(group.id, closedGroup.id)
      .map((id) => ({ ...session, params: { id }, body: {} })),
    removeMember: bytes(15).map((text) => ({
      ...session,
      params: { id: group.id, address: `0x${Buffer.from(text).toString('hex').slice(0, 40)}` },
    })),
    sendGroupEnvelopes: fc
      .tuple(fc.constantFrom(annKey, botToken), fc.array(copy, { minLength: 1, maxLength: 4 }))
      .map(([token, envelopes]) => ({ token, ...groupParams, body: { envelopes } })),
    createToken: label.map((name) => ({ ...session, ...groupParams, body: { name } })),
    deleteToken: bytes(16).map((tokenId) => ({ ...session, params: { id: group.id, tokenId } })),
  };
}

/** A request that its relay has no reason to call malformed. */
export function validRequest(world: World): fc.Arbitrary<FuzzRequest> {
  const all = Object.entries(validParts(world)) as [EndpointName, fc.Arbitrary<Parts>][];
  return fc.oneof(
    ...all.map(([name, parts]) =>
      parts.map(
        (given): FuzzRequest => ({ name, token: null, params: {}, query: {}, body: undefined, ...given }),
      ),
    ),
  );
}
