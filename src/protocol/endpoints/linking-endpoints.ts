/** Linking a new computer. */

import * as linking from '../schemas/linking.ts';
import type { Endpoint } from './endpoint.ts';

export const LINKING_ENDPOINTS = {
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
} as const satisfies Record<string, Endpoint>;
