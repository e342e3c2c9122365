/**
 * Every call of the API in one table. The relay registers its routes from it, clients call by it, and the OpenAPI
 * file is generated from it. Add a call beside the others of its area; its bodies belong in ./schemas.
 */
import type { z } from 'zod';
import type { Entitlement } from './credentials.ts';
import {
  ACK_BODY,
  type BodyLimit,
  DEVICES_BODY,
  FOUND_BODY,
  HISTORIES_BODY,
  type Limits,
  PQ_KEYS_BODY,
  ROSTER_BODY,
  SMALL_BODY,
} from './limits.ts';
import type { ProblemCode } from './problems.ts';
import * as accounts from './schemas/accounts.ts';
import * as auth from './schemas/auth.ts';
import * as blobs from './schemas/blobs.ts';
import * as directory from './schemas/directory.ts';
import * as envelopes from './schemas/envelopes.ts';
import * as groups from './schemas/groups.ts';
import * as inbox from './schemas/inbox.ts';
import * as linking from './schemas/linking.ts';
import * as me from './schemas/me.ts';
import * as relay from './schemas/relay.ts';
import * as reports from './schemas/reports.ts';
import * as rosters from './schemas/rosters.ts';

/** The prefix of every path below. */
export const API_PREFIX = '/api/v1';
/** The version of the API in the prefix. */
export const API_VERSION = '1';

/** The credential that a call requires: none, any valid one, or one with an entitlement. */
export type Access = 'anyone' | 'any credential' | Entitlement;

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after {@link API_PREFIX}; `:name` is a parameter. */
  path: string;
  access: Access;
  summary: string;
  params?: z.ZodObject;
  /** Query string: `z.decode` reads it, `z.encode` writes it. */
  query?: z.ZodObject;
  request?: z.ZodType;
  /** Header fields of the call, by their names in lower case. */
  headers?: z.ZodObject;
  /** The size limit of the request; {@link SMALL_BODY} by default. For envelopes it follows from `limits`. */
  body?: BodyLimit | 'envelopes';
  /** Absent for an answer without a body. */
  response?: z.ZodType;
  /** The side that sends raw bytes, `application/octet-stream`: then `request` or `response` is absent. */
  octets?: 'request' | 'response';
  /** Also answers HEAD: as GET, without the body. */
  head?: true;
  /** The statuses of success, the usual one first. */
  statuses: readonly [number, ...number[]];
  /** Problems of this call, besides {@link COMMON_PROBLEMS}. */
  problems: readonly ProblemCode[];
  /** Problems of one element of the request. Answered 422, whatever their own status. */
  elementProblems?: readonly ProblemCode[];
}

/** Problems of every call, besides those of its row. */
export const COMMON_PROBLEMS = [
  'invalid_request',
  'misdirected_request',
  'request_timeout',
  'too_large',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ProblemCode[];

export const ENDPOINTS = {
  getRelay: {
    method: 'GET',
    path: '',
    access: 'anyone',
    summary: 'The name of the relay, the version of its API, and who may open an account.',
    response: relay.RelayInfo,
    statuses: [200],
    problems: [],
  },
  createChallenge: {
    method: 'POST',
    path: '/auth/challenge',
    access: 'anyone',
    summary: 'Asks for the fields of a login text that a wallet then signs.',
    request: auth.ChallengeRequest,
    response: auth.Challenge,
    statuses: [200],
    problems: [],
  },
  createSession: {
    method: 'POST',
    path: '/auth/session',
    access: 'anyone',
    summary:
      'Logs in with a signed challenge, or renews with a device signature. The first login of an address opens its account.',
    request: auth.SessionRequest,
    response: auth.Session,
    statuses: [201],
    problems: [
      'unauthorized',
      'account_suspended',
      'account_deleted',
      'invitation_required',
      'registration_closed',
    ],
  },
  deleteSession: {
    method: 'DELETE',
    path: '/auth/session',
    access: 'account:manage',
    summary: 'Ends the session of this call.',
    statuses: [204],
    problems: [],
  },
  getMe: {
    method: 'GET',
    path: '/me',
    access: 'any credential',
    summary: 'Tells the caller who it is, and what its credential may do.',
    response: me.Me,
    statuses: [200],
    problems: [],
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/me',
    access: 'account:manage',
    summary:
      'Deletes the account at this relay. 204: at once, in a session that the wallet opened. 202: in seven days, in one that a device opened.',
    response: accounts.AccountDeletion.optional(),
    statuses: [204, 202],
    problems: ['owns_groups'],
  },
  cancelDeletion: {
    method: 'DELETE',
    path: '/me/deletion',
    access: 'account:manage',
    summary: 'Keeps the account after all. Nothing is done if it is not to end.',
    statuses: [204],
    problems: [],
  },
  createInvitation: {
    method: 'POST',
    path: '/me/invitations',
    access: 'account:manage',
    summary:
      'Makes a code with which others open an account, where the operator lets members do that. The answer alone carries it.',
    request: accounts.InvitationRequest,
    response: accounts.NewInvitation,
    statuses: [201],
    problems: ['forbidden', 'quota_reached'],
  },
  createReport: {
    method: 'POST',
    path: '/reports',
    access: 'account:manage',
    summary:
      'Tells the operator of an account or a group that does harm. A second report about the same takes the place of the first.',
    request: reports.ReportRequest,
    statuses: [204],
    problems: ['not_found'],
  },
  putHandle: {
    method: 'PUT',
    path: '/me/handle',
    access: 'account:manage',
    summary: 'Claims a handle. The one before becomes free.',
    request: me.HandleRequest,
    response: me.Me,
    statuses: [200],
    problems: ['handle_taken'],
  },
  putProfile: {
    method: 'PUT',
    path: '/me/profile',
    access: 'account:manage',
    summary: 'Sets the name that others see beside the handle.',
    request: me.ProfileRequest,
    response: me.Me,
    statuses: [200],
    problems: [],
  },
  putDevices: {
    method: 'PUT',
    path: '/me/devices',
    access: 'account:manage',
    summary:
      'Publishes the next device list. Devices that it leaves out lose their queue, their sessions, and what their sessions made.',
    request: directory.DevicesRequest,
    body: DEVICES_BODY,
    response: directory.AddressKeys,
    statuses: [200],
    problems: ['device_list_conflict', 'seal_key_conflict', 'quota_reached'],
  },
  putSealKey: {
    method: 'PUT',
    path: '/me/devices/:deviceId/seal-key',
    access: 'account:manage',
    summary: 'Publishes the next seal key of one device.',
    params: directory.DeviceParams,
    request: directory.SealKeyRequest,
    response: directory.AddressKeys,
    statuses: [200],
    problems: ['unknown_device', 'seal_key_conflict'],
  },
  putDeveloperAccess: {
    method: 'PUT',
    path: '/me/developer-access',
    access: 'account:manage',
    summary: 'Unlocks or locks Developer API access. While locked, no API key works.',
    request: me.DeveloperAccessRequest,
    response: me.Me,
    statuses: [200],
    problems: [],
  },
  createApiKey: {
    method: 'POST',
    path: '/me/api-keys',
    access: 'account:manage',
    summary: 'Creates an API key. The answer alone carries its secret.',
    request: me.ApiKeyRequest,
    response: me.NewApiKey,
    statuses: [201],
    problems: ['forbidden', 'quota_reached'],
  },
  listApiKeys: {
    method: 'GET',
    path: '/me/api-keys',
    access: 'account:manage',
    summary:
      'Lists the API keys, newest first, without their secrets: those that work, and the newest of the others.',
    query: me.ApiKeysQuery,
    response: me.ApiKeys,
    statuses: [200],
    problems: [],
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/me/api-keys/:id',
    access: 'account:manage',
    summary: 'Revokes an API key.',
    params: me.ApiKeyParams,
    statuses: [204],
    problems: ['not_found'],
  },
  getHandle: {
    method: 'GET',
    path: '/handles/:handle',
    access: 'directory:read',
    summary: 'Resolves a public handle.',
    params: directory.HandleParams,
    response: directory.HandleRecord,
    statuses: [200],
    problems: ['not_found'],
  },
  searchHandles: {
    method: 'GET',
    path: '/handles',
    access: 'directory:read',
    summary:
      'Searches public handles: first those that begin with the text, then those that have it inside, then those whose display name fits.',
    query: directory.HandleSearch,
    response: directory.HandlePage,
    statuses: [200],
    problems: [],
  },
  getKeys: {
    method: 'GET',
    path: '/keys/:address',
    access: 'directory:read',
    summary: 'The devices of an address and the keys to seal to.',
    params: directory.AddressParams,
    response: directory.AddressKeys,
    statuses: [200],
    problems: ['not_found'],
  },
  getKeyHistory: {
    method: 'GET',
    path: '/keys/:address/history',
    access: 'any credential',
    summary:
      'The device lists that an address has published, oldest first. Each names the one before; the newest signature proves all.',
    params: directory.AddressParams,
    query: directory.HistoryQuery,
    response: directory.KeyHistory,
    statuses: [200],
    problems: [],
  },
  getKeyHistories: {
    method: 'POST',
    path: '/keys/history',
    access: 'any credential',
    summary: 'The device lists of many addresses at once. Changes nothing.',
    request: directory.HistoriesRequest,
    body: HISTORIES_BODY,
    response: directory.KeyHistories,
    statuses: [200],
    problems: [],
  },
  getPqKeys: {
    method: 'POST',
    path: '/pq-keys',
    access: 'any credential',
    summary: 'Post-quantum keys by the digests that seal keys have as `pq`. Changes nothing.',
    request: directory.PqKeysRequest,
    body: PQ_KEYS_BODY,
    response: directory.PqKeys,
    statuses: [200],
    problems: [],
  },
  sendEnvelopes: {
    method: 'POST',
    path: '/envelopes',
    access: 'envelopes:send',
    summary:
      'Sends one sealed envelope, or a batch. 201 for one that is new, 200 for one sent again and for a batch.',
    request: envelopes.SendRequest,
    body: 'envelopes',
    response: envelopes.SendResponse,
    statuses: [201, 200],
    problems: ['plaintext_rejected', 'unknown_device', 'not_found', 'inbox_full'],
  },
  beginBlob: {
    method: 'PUT',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'Begins to upload a sealed file, or tells how far the upload is. It is to be finished within a day. 201 for one that is new, 200 again.',
    params: blobs.BlobParams,
    request: blobs.BlobRequest,
    response: blobs.BlobUpload,
    statuses: [201, 200],
    problems: ['blob_conflict', 'blob_quota'],
  },
  putBlobPart: {
    method: 'PUT',
    path: '/blobs/:id/parts/:part',
    access: 'blobs',
    summary:
      'Uploads one part: as many bytes as `partBytes` says, the last part the rest, within five minutes. The same again changes nothing.',
    params: blobs.BlobPartParams,
    headers: blobs.BlobPartHeaders,
    octets: 'request',
    statuses: [204],
    problems: ['not_found', 'blob_conflict', 'plaintext_rejected'],
  },
  completeBlob: {
    method: 'POST',
    path: '/blobs/:id/complete',
    access: 'blobs',
    summary:
      'Finishes an upload. From then on the blob can be read, for 45 days. The same again changes nothing.',
    params: blobs.BlobParams,
    response: blobs.StoredBlob,
    statuses: [200],
    problems: ['not_found', 'blob_conflict', 'blob_incomplete'],
  },
  getBlob: {
    method: 'GET',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'A finished blob, or one range of it. Anyone who knows its id may read it. It never changes. HEAD is answered without the bytes.',
    params: blobs.BlobParams,
    headers: blobs.BlobReadHeaders,
    octets: 'response',
    head: true,
    statuses: [200, 206],
    problems: ['not_found', 'range_unsatisfiable'],
  },
  adoptBlob: {
    method: 'POST',
    path: '/blobs/:id/adopt',
    access: 'blobs',
    summary:
      'Keeps a finished blob for the caller, too: for 45 days from now, and counted for the caller’s account.',
    params: blobs.BlobParams,
    response: blobs.StoredBlob,
    statuses: [200],
    problems: ['not_found', 'blob_quota'],
  },
  deleteBlob: {
    method: 'DELETE',
    path: '/blobs/:id',
    access: 'blobs',
    summary:
      'Drops the caller’s claim to a blob, finished or not. The blob is gone with its last claim. Nothing is done if there is none.',
    params: blobs.BlobParams,
    statuses: [204],
    problems: [],
  },
  getInbox: {
    method: 'GET',
    path: '/inbox',
    access: 'inbox:read',
    summary:
      'What waits for a device, oldest first. Held open for up to `wait` seconds while there is nothing.',
    query: inbox.InboxQuery,
    response: inbox.Inbox,
    statuses: [200],
    problems: ['unknown_device'],
  },
  acknowledge: {
    method: 'POST',
    path: '/inbox/ack',
    access: 'inbox:read',
    summary: 'Takes envelopes out of the queue of a device. Idempotent.',
    request: inbox.AckRequest,
    body: ACK_BODY,
    response: inbox.AckResponse,
    statuses: [200],
    problems: ['unknown_device'],
  },
  putNewDevice: {
    method: 'PUT',
    path: '/links/:deviceId',
    access: 'anyone',
    summary:
      'A new computer says that it waits to be linked, for ten minutes. Ten an hour from one network address.',
    params: linking.LinkingParams,
    request: linking.NewDeviceRequest,
    response: linking.WaitingDevice,
    statuses: [201],
    problems: ['link_conflict'],
  },
  getNewDevice: {
    method: 'GET',
    path: '/links/:deviceId',
    access: 'account:manage',
    summary: 'The computer that waits under a code. Its name is what it says of itself.',
    params: linking.LinkingParams,
    response: linking.WaitingDevice,
    statuses: [200],
    problems: ['not_found'],
  },
  putLinkOffer: {
    method: 'PUT',
    path: '/links/:deviceId/offer',
    access: 'account:manage',
    summary: 'Offers the waiting computer to join the caller’s account, by a device list that has it.',
    params: linking.LinkingParams,
    request: linking.LinkOfferRequest,
    response: linking.PublishedLinkOffer,
    statuses: [201],
    problems: ['not_found', 'link_conflict'],
  },
  getLinkOffer: {
    method: 'GET',
    path: '/links/:deviceId/offer',
    access: 'anyone',
    summary: 'The offer to a waiting computer, as soon as there is one. Ask every three seconds.',
    params: linking.LinkingParams,
    response: linking.PublishedLinkOffer,
    statuses: [200],
    problems: ['not_found'],
  },
  searchGroups: {
    method: 'GET',
    path: '/groups',
    access: 'groups:read',
    summary: 'The public group directory, or the caller’s own groups with mine=1.',
    query: groups.GroupSearch,
    response: groups.GroupPage,
    statuses: [200],
    problems: ['group_token_not_allowed'],
  },
  createGroup: {
    method: 'POST',
    path: '/groups',
    access: 'groups:manage',
    summary:
      'Creates a group by the entry that begins its chain, and a change that sets it up. The caller signed both, and is its creator and first member. The same again is answered 200.',
    request: rosters.FoundRequest,
    body: FOUND_BODY,
    response: groups.GroupView,
    statuses: [201, 200],
    problems: ['forbidden', 'not_a_member', 'quota_reached', 'roster_conflict', 'roster_refused'],
  },
  putListing: {
    method: 'PUT',
    path: '/groups/:id/listing',
    access: 'groups:manage',
    summary: 'Shows a group in the directory or hides it there. For the creator.',
    params: groups.GroupParams,
    request: rosters.ListingRequest,
    statuses: [204],
    problems: ['not_found', 'forbidden'],
  },
  admitToGroup: {
    method: 'POST',
    path: '/groups/:id/admission',
    access: 'groups:manage',
    summary:
      'Lets an address that could join a group read its chain, and post to it, for ten minutes. A join needs the chain’s last entry.',
    params: groups.GroupParams,
    request: rosters.AdmissionRequest,
    response: rosters.RosterPlace,
    statuses: [200],
    problems: ['not_found', 'wrong_password', 'roster_refused'],
  },
  getRoster: {
    method: 'GET',
    path: '/groups/:id/roster',
    access: 'groups:read',
    summary: 'The chain of a group, in order. For members, for this group’s tokens, and after an admission.',
    params: groups.GroupParams,
    query: rosters.RosterQuery,
    response: rosters.RosterPage,
    statuses: [200],
    problems: ['not_found', 'forbidden', 'not_a_member'],
  },
  postRosterEntry: {
    method: 'POST',
    path: '/groups/:id/roster',
    access: 'groups:manage',
    summary:
      'Appends an entry to the chain of a group: joining, leaving and every change. It names the newest device list of its signer. The same again changes nothing. When the last member leaves, the group is gone.',
    params: groups.GroupParams,
    request: rosters.RosterPostRequest,
    body: ROSTER_BODY,
    response: rosters.RosterPlace,
    statuses: [200],
    problems: [
      'not_found',
      'forbidden',
      'not_a_member',
      'quota_reached',
      'roster_conflict',
      'roster_refused',
    ],
  },
  getGroup: {
    method: 'GET',
    path: '/groups/:id',
    access: 'groups:read',
    summary: 'A group with the keys of its members. For members and this group’s tokens.',
    params: groups.GroupParams,
    response: groups.GroupView,
    statuses: [200],
    problems: ['not_found', 'forbidden', 'not_a_member'],
  },
  sendGroupEnvelopes: {
    method: 'POST',
    path: '/groups/:id/envelopes',
    access: 'groups:send',
    summary: 'Posts sealed copies to members of a group: all of them, or, if one is refused, none.',
    params: groups.GroupParams,
    request: groups.GroupSendRequest,
    body: 'envelopes',
    response: groups.GroupSendResponse,
    statuses: [200],
    problems: ['not_found', 'forbidden', 'not_a_member', 'plaintext_rejected', 'unknown_device'],
    elementProblems: ['not_a_member'],
  },
  createToken: {
    method: 'POST',
    path: '/groups/:id/tokens',
    access: 'groups:manage',
    summary: 'Mints a bot token for a group. For the creator. The answer alone carries its secret.',
    params: groups.GroupParams,
    request: groups.TokenRequest,
    response: groups.NewToken,
    statuses: [201],
    problems: ['not_found', 'forbidden', 'quota_reached'],
  },
  revokeToken: {
    method: 'DELETE',
    path: '/groups/:id/tokens/:tokenId',
    access: 'groups:manage',
    summary: 'Revokes a bot token. For the creator.',
    params: groups.TokenParams,
    statuses: [204],
    problems: ['not_found', 'forbidden'],
  },
} as const satisfies Record<string, Endpoint>;

/** JSON values in one envelope of a request, and a few in reserve. */
const ENVELOPE_VALUES = 8;

/** The size limit of a call's body at a relay with these limits. */
export function bodyLimitOf(endpoint: Endpoint, limits: Limits): BodyLimit {
  const { body = SMALL_BODY } = endpoint;
  if (body !== 'envelopes') return body;
  const envelopes = Math.max(limits.batchEnvelopes, limits.groupEnvelopes);
  return { bytes: limits.bodyBytes, values: (envelopes + 2) * ENVELOPE_VALUES };
}

export type EndpointName = keyof typeof ENDPOINTS;

type Part<E, Key extends keyof Endpoint> =
  E extends Record<Key, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** The types of one row, after `z.decode` and before `z.encode`. */
export type ParamsOf<E> = Part<E, 'params'>;
export type QueryOf<E> = Part<E, 'query'>;
export type RequestOf<E> = Part<E, 'request'>;
export type HeadersOf<E> = Part<E, 'headers'>;
export type ResponseOf<E> = Part<E, 'response'>;
