/** Handles, and the keys of other people. */

import { HISTORIES_BODY, PQ_KEYS_BODY } from '../limits.ts';
import * as directory from '../schemas/directory.ts';
import type { Endpoint } from './endpoint.ts';

export const DIRECTORY_ENDPOINTS = {
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
      'Searches public handles. Matches at the beginning of the handle come first, then inside the handle, then in the display name.',
    query: directory.HandleSearch,
    response: directory.HandlePage,
    statuses: [200],
    problems: [],
  },
  getKeys: {
    method: 'GET',
    path: '/keys/:address',
    access: 'directory:read',
    summary: 'Returns the devices of an address and their seal keys.',
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
      'Returns the device lists that an address has published, oldest first. Each list has the hash of the previous one, so the newest signature proves all.',
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
    summary: 'Returns the device lists of many addresses. Read-only.',
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
    summary: 'Returns post-quantum keys by their digests, the `pq` of seal keys. Read-only.',
    request: directory.PqKeysRequest,
    body: PQ_KEYS_BODY,
    response: directory.PqKeys,
    statuses: [200],
    problems: [],
  },
} as const satisfies Record<string, Endpoint>;
