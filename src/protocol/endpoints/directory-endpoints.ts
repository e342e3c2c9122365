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
} as const satisfies Record<string, Endpoint>;
