/** The own account and its devices, keys and reports. */

import { DEVICES_BODY } from '../limits.ts';
import * as accounts from '../schemas/accounts.ts';
import * as directory from '../schemas/directory.ts';
import * as me from '../schemas/me.ts';
import * as reports from '../schemas/reports.ts';
import type { Endpoint } from './endpoint.ts';

export const ACCOUNT_ENDPOINTS = {
  getMe: {
    method: 'GET',
    path: '/me',
    access: 'any credential',
    summary: 'Returns the account of the caller and the entitlements of its credential.',
    response: me.Me,
    statuses: [200],
    problems: [],
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/me',
    access: 'account:manage',
    summary:
      'Deletes the account at this relay. 204: deleted now, in a session opened by the wallet. 202: deleted in seven days, in a session opened by a device.',
    response: accounts.AccountDeletion.optional(),
    repeatsNothing: true,
    statuses: [204, 202],
    problems: ['owns_groups'],
  },
  cancelDeletion: {
    method: 'DELETE',
    path: '/me/deletion',
    access: 'account:manage',
    summary: 'Cancels a planned deletion. No effect without one.',
    statuses: [204],
    problems: [],
  },
  createInvitation: {
    method: 'POST',
    path: '/me/invitations',
    access: 'account:manage',
    summary:
      'Creates an invitation code for new accounts, if the operator allows this to members. Only this response contains the code.',
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
      'Reports an account or a group to the operator. A second report about the same subject replaces the first.',
    request: reports.ReportRequest,
    statuses: [204],
    problems: ['not_found'],
  },
  putHandle: {
    method: 'PUT',
    path: '/me/handle',
    access: 'account:manage',
    summary: 'Claims a handle. The previous one stays reserved for the account for a year.',
    request: me.HandleRequest,
    response: me.Me,
    statuses: [200],
    problems: ['handle_taken'],
  },
  putProfile: {
    method: 'PUT',
    path: '/me/profile',
    access: 'account:manage',
    summary: 'Sets the display name.',
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
      'Publishes the next device list. Devices missing from it lose their queue, their sessions, and the credentials created in those sessions.',
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
    summary: 'Creates an API key. Only this response contains its secret.',
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
      'Lists the API keys, newest first, without secrets: all valid ones, and the newest of the others.',
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
} as const satisfies Record<string, Endpoint>;
