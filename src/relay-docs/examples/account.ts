/**
 * Examples of the relay itself, of login, and of the caller's own account.
 */
import { toChecksumAddress } from '../../protocol/address.ts';
import { ApiKeyEntitlement, CREDENTIAL_PREFIX, SHOWN_PREFIX_LENGTH } from '../../protocol/credentials.ts';
import { importEd25519, signEd25519 } from '../../protocol/crypto.ts';
import { deviceIdOf } from '../../protocol/device-id.ts';
import { listReferenceOf } from '../../protocol/device-list.ts';
import { encodeBase64Url } from '../../protocol/encoding.ts';
import { INVITATION_PREFIX } from '../../protocol/invitation-code.ts';
import { DEFAULT_LIMITS, DEFAULT_QUOTAS } from '../../protocol/limits.ts';
import type { ApiKey, Me } from '../../protocol/schemas/me.ts';
import { sessionRenewalBytes } from '../../protocol/session-renewal.ts';
import { formatSiwe } from '../../protocol/siwe.ts';
import { signText } from '../../protocol/wallet.ts';
import type { Examples, ExampleWorld } from './example.ts';
import { EXAMPLE_TIME, fixedBytes } from './people.ts';

const API_KEY_SECRET = CREDENTIAL_PREFIX.api_key + encodeBase64Url(fixedBytes(0x51));
const SESSION_SECRET = CREDENTIAL_PREFIX.session + encodeBase64Url(fixedBytes(0x53));
const INVITATION_CODE = INVITATION_PREFIX + encodeBase64Url(fixedBytes(0x55));
const API_KEY_ID = encodeBase64Url(fixedBytes(0x61, 16));

type Names =
  | 'getRelay'
  | 'createChallenge'
  | 'createSession'
  | 'deleteSession'
  | 'getMe'
  | 'deleteAccount'
  | 'cancelDeletion'
  | 'createInvitation'
  | 'createReport'
  | 'putHandle'
  | 'putProfile'
  | 'putDevices'
  | 'putSealKey'
  | 'putDeveloperAccess'
  | 'createApiKey'
  | 'listApiKeys'
  | 'revokeApiKey'
  | 'putNewDevice'
  | 'getNewDevice'
  | 'putLinkOffer'
  | 'getLinkOffer';

export function accountExamples(world: ExampleWorld): Pick<Examples, Names> {
  const { ann } = world;
  const me = meOf(world);
  const apiKey: ApiKey = {
    id: API_KEY_ID,
    name: 'Build server',
    prefix: API_KEY_SECRET.slice(0, SHOWN_PREFIX_LENGTH),
    entitlements: ['directory:read', 'envelopes:send'],
    createdAt: EXAMPLE_TIME,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
  const { lastUsedAt, revokedAt, ...created } = apiKey;
  return {
    ...loginExamples(world),
    ...linkExamples(world),
    getRelay: [
      {
        title: 'Anyone',
        status: 200,
        response: { name: world.relay.host, apiVersion: '1', registration: 'code' },
      },
    ],
    getMe: [{ title: 'With an API key', status: 200, response: me.withApiKey }],
    deleteAccount: [
      { title: 'In a session that the wallet opened', status: 204, response: undefined },
      {
        title: 'In a session that a device opened',
        status: 202,
        response: { deletesAt: '2026-11-27T20:00:00.000Z' },
      },
    ],
    cancelDeletion: [{ title: 'Keep the account', status: 204 }],
    createInvitation: [
      {
        title: 'For one account, within a week',
        status: 201,
        request: { uses: 1, expires: '2026-11-27T20:00:00.000Z' },
        response: { code: INVITATION_CODE, uses: 1, expires: '2026-11-27T20:00:00.000Z' },
      },
    ],
    createReport: [
      {
        title: 'An account that sends unwanted messages',
        status: 204,
        request: {
          about: { account: world.bob.address },
          reason: 'spam',
          text: 'Sends the same link every day.',
        },
      },
    ],
    putHandle: [{ title: 'A handle', status: 200, request: { handle: 'ann' }, response: me.withSession }],
    putProfile: [{ title: 'A name', status: 200, request: { displayName: 'Ann' }, response: me.withSession }],
    putDevices: [
      {
        title: 'The first device list',
        status: 200,
        request: { deviceList: ann.deviceList, sealKeys: [ann.sealKeyStatement], pqKeys: [ann.pqKey] },
        response: ann.keys,
      },
    ],
    putSealKey: [
      {
        title: 'A seal key',
        status: 200,
        params: { deviceId: ann.deviceId },
        request: { sealKey: ann.sealKeyStatement, pqKey: ann.pqKey },
        response: ann.keys,
      },
    ],
    putDeveloperAccess: [
      { title: 'Unlock', status: 200, request: { enabled: true }, response: me.withSession },
    ],
    createApiKey: [
      {
        title: 'A key that may look people up and write to them',
        status: 201,
        request: { name: apiKey.name, entitlements: ['directory:read', 'envelopes:send'] },
        response: { ...created, secret: API_KEY_SECRET },
      },
    ],
    listApiKeys: [
      { title: 'One key', status: 200, query: {}, response: { apiKeys: [apiKey], nextCursor: null } },
    ],
    revokeApiKey: [{ title: 'Revoke', status: 204, params: { id: API_KEY_ID } }],
  };
}

function challengeOf(relay: URL) {
  return {
    domain: relay.host,
    uri: relay.origin,
    version: '1' as const,
    chainId: 1 as const,
    statement: 'Log in to this relay. This sends no transaction and costs nothing.',
    nonce: '0123456789abcdef0123456789abcdef',
    issuedAt: EXAMPLE_TIME,
    expirationTime: '2026-11-20T20:05:00.000Z',
  };
}

/** The text that Ann's wallet signs to log in. */
export function loginText({ ann, relay }: ExampleWorld): string {
  return formatSiwe({ ...challengeOf(relay), address: toChecksumAddress(ann.address) });
}

function loginExamples(
  world: ExampleWorld,
): Pick<Examples, 'createChallenge' | 'createSession' | 'deleteSession'> {
  const { ann, relay } = world;
  const { address } = ann;
  const challenge = challengeOf(relay);
  const renewal = sessionRenewalBytes(address, ann.deviceId, EXAMPLE_TIME, relay.host);
  const session = { token: SESSION_SECRET, expiresAt: '2026-11-20T20:15:00.000Z', address };
  return {
    createChallenge: [{ title: 'A challenge', status: 200, request: { address }, response: challenge }],
    createSession: [
      {
        title: 'With the wallet',
        status: 201,
        request: { address, nonce: challenge.nonce, signature: signText(ann.wallet, loginText(world)) },
        response: session,
      },
      {
        title: 'With a certified device',
        status: 201,
        request: {
          address,
          deviceId: ann.deviceId,
          issuedAt: EXAMPLE_TIME,
          signature: encodeBase64Url(signEd25519(ann.deviceKey, renewal)),
        },
        response: session,
      },
    ],
    deleteSession: [{ title: 'Log out', status: 204 }],
  };
}

function linkExamples({
  ann,
}: ExampleWorld): Pick<Examples, 'putNewDevice' | 'getNewDevice' | 'putLinkOffer' | 'getLinkOffer'> {
  const { publicKey } = importEd25519(fixedBytes(0x71));
  const device = { key: encodeBase64Url(publicKey), name: 'Waxwing on Linux' };
  const params = { deviceId: encodeBase64Url(deviceIdOf(publicKey)) };
  const waiting = { ...device, expiresAt: '2026-11-20T20:10:00.000Z' };
  const offer = { address: ann.address, list: listReferenceOf(ann.address, ann.deviceList) };
  return {
    putNewDevice: [{ title: 'On the new computer', status: 201, params, request: device, response: waiting }],
    getNewDevice: [{ title: 'On the old computer', status: 200, params, response: waiting }],
    putLinkOffer: [
      { title: 'After the list was published', status: 201, params, request: offer, response: offer },
    ],
    getLinkOffer: [{ title: 'On the new computer', status: 200, params, response: offer }],
  };
}

function meOf({ ann }: ExampleWorld): { withApiKey: Me; withSession: Me } {
  const common = {
    address: ann.address,
    handle: ann.profile.handle,
    displayName: ann.profile.displayName,
    developerApi: true,
    deletesAt: null,
    limits: DEFAULT_LIMITS,
    quotas: DEFAULT_QUOTAS,
  };
  return {
    withApiKey: {
      ...common,
      credential: {
        type: 'api_key',
        id: API_KEY_ID,
        name: 'Build server',
        prefix: API_KEY_SECRET.slice(0, SHOWN_PREFIX_LENGTH),
        entitlements: [...ApiKeyEntitlement.options],
        expiresAt: null,
      },
    },
    withSession: {
      ...common,
      credential: {
        type: 'session',
        id: encodeBase64Url(fixedBytes(0x63, 16)),
        name: null,
        prefix: null,
        entitlements: [...ApiKeyEntitlement.options, 'account:manage', 'groups:manage'],
        expiresAt: '2026-11-20T20:15:00.000Z',
      },
    },
  };
}
