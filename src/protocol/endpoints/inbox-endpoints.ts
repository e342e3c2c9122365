/** The queue of a device. */

import { ACK_BODY } from '../limits.ts';
import * as inbox from '../schemas/inbox.ts';
import type { Endpoint } from './endpoint.ts';

export const INBOX_ENDPOINTS = {
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
} as const satisfies Record<string, Endpoint>;
