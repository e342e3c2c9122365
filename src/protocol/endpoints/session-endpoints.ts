/** The description of the relay, and sessions. */

import * as auth from '../schemas/auth.ts';
import * as relay from '../schemas/relay.ts';
import type { Endpoint } from './endpoint.ts';

export const SESSION_ENDPOINTS = {
  getRelay: {
    method: 'GET',
    path: '',
    access: 'anyone',
    summary: 'Returns the name of the relay, its API version, and the condition for opening an account.',
    response: relay.RelayInfo,
    repeatsNothing: true,
    statuses: [200],
    problems: [],
  },
  createChallenge: {
    method: 'POST',
    path: '/auth/challenge',
    access: 'anyone',
    summary: 'Returns the fields of the login text for the wallet’s signature.',
    request: auth.ChallengeRequest,
    response: auth.Challenge,
    // Only the relay knows the nonce’s address: signed for another one it grants no login. The client checks the domain.
    repeatsNothing: true,
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
} as const satisfies Record<string, Endpoint>;
