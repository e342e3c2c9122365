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
      'Returns the queued envelopes of a device, oldest first. Long polling: waits up to `wait` seconds while the queue is empty. A new device list of the address ends the wait.',
    query: inbox.InboxQuery,
    response: inbox.Inbox,
    statuses: [200],
    problems: ['unknown_device'],
  },
  acknowledge: {
    method: 'POST',
    path: '/inbox/ack',
    access: 'inbox:read',
    summary: 'Removes envelopes from the queue of a device. Idempotent.',
    request: inbox.AckRequest,
    body: ACK_BODY,
    response: inbox.AckResponse,
    statuses: [200],
    problems: ['unknown_device'],
  },
} as const satisfies Record<string, Endpoint>;
