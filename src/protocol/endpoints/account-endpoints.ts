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
} as const satisfies Record<string, Endpoint>;
