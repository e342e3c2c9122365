/** Linking a new computer. */

import * as linking from '../schemas/linking.ts';
import type { Endpoint } from './endpoint.ts';

export const LINKING_ENDPOINTS = {
  putNewDevice: {
    method: 'PUT',
    path: '/links/:deviceId',
    access: 'anyone',
    summary:
      'Registers a new computer that waits to be linked, for ten minutes. Limit: ten per hour and network address.',
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
    summary: 'Returns the computer that waits under a code. Its name is its own claim.',
    params: linking.LinkingParams,
    response: linking.WaitingDevice,
    statuses: [200],
    problems: ['not_found'],
  },
  putLinkOffer: {
    method: 'PUT',
    path: '/links/:deviceId/offer',
    access: 'account:manage',
    summary: 'Offers the waiting computer the caller’s account, with a device list that contains it.',
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
    summary: 'Returns the offer to a waiting computer. Poll every three seconds.',
    params: linking.LinkingParams,
    response: linking.PublishedLinkOffer,
    // Only the person can decide on the account to join.
    repeatsNothing: true,
    statuses: [200],
    problems: ['not_found'],
  },
} as const satisfies Record<string, Endpoint>;
