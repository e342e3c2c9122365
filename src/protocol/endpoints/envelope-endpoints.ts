/** Sending to people. */

import * as envelopes from '../schemas/envelopes.ts';
import type { Endpoint } from './endpoint.ts';

export const ENVELOPE_ENDPOINTS = {
  sendEnvelopes: {
    method: 'POST',
    path: '/envelopes',
    access: 'envelopes:send',
    summary:
      'Sends one sealed envelope, or a batch. 201: one new envelope. 200: an envelope sent before, or a batch.',
    request: envelopes.SendRequest,
    body: 'envelopes',
    response: envelopes.SendResponse,
    statuses: [201, 200],
    problems: ['plaintext_rejected', 'unknown_device', 'not_found', 'inbox_full'],
  },
} as const satisfies Record<string, Endpoint>;
