/**
 * Login: a wallet answers a challenge, or a certified device renews a session.
 *
 * In all schema files requests are strict objects, which refuse unknown fields. Responses are plain objects, which
 * drop them, so that a newer relay works with an older client.
 */

import { z } from 'zod';
import { FIELD_FAULTS } from '../faults.ts';
import { Bytes, Text, WalletSignature, WireAddress, WireTime } from '../primitives.ts';

export const ChallengeRequest = z.strictObject({ address: WireAddress }).meta({ id: 'ChallengeRequest' });

export const Challenge = z
  .object({
    domain: z.string().describe('The host of the relay. Do not sign if it is not the host of your call.'),
    uri: z.string(),
    version: z.literal('1'),
    chainId: z.literal(1),
    statement: z.string(),
    nonce: z.string(),
    issuedAt: WireTime,
    expirationTime: WireTime,
  })
  .meta({ id: 'Challenge', description: 'The fields of the EIP-4361 text that the wallet signs.' });
export type Challenge = z.infer<typeof Challenge>;

export const WalletLogin = z
  .strictObject({
    address: WireAddress,
    nonce: z
      .string()
      .regex(/^[A-Za-z0-9]{8,64}$/, FIELD_FAULTS.nonce())
      .describe('The nonce of the challenge. Valid once.'),
    signature: WalletSignature,
    invitation: Text(64)
      .optional()
      .describe(
        'An invitation code, if the relay requires one. Used only if the address has no account yet.',
      ),
    reopen: z
      .boolean()
      .optional()
      .describe(
        'True reopens a deleted account. Send it only at the request of its owner; otherwise such a login is refused with `account_deleted`.',
      ),
  })
  .meta({ id: 'WalletLogin', description: 'A challenge, signed by the wallet.' });
export type WalletLogin = z.infer<typeof WalletLogin>;

/** `signature` covers the bytes of `sessionRenewalBytes`. */
export const SessionRenewal = z
  .strictObject({
    address: WireAddress,
    deviceId: Bytes(16).describe('Id of the device: 16 bytes in base64url.'),
    issuedAt: WireTime.describe('Within a minute of the current time. Valid once.'),
    signature: Bytes(64).describe(
      'Ed25519 by the device, over "waxwing/session/v1", address (20 bytes), deviceId (16), issuedAt (milliseconds, 8) and the relay’s host in UTF-8.',
    ),
  })
  .meta({
    id: 'SessionRenewal',
    description: 'The login of a certified device, without the wallet.',
  });
export type SessionRenewal = z.infer<typeof SessionRenewal>;

export const SessionRequest = z.union([WalletLogin, SessionRenewal]);

export const Session = z
  .object({
    token: z.string().describe('The credential, `ses_…`.'),
    expiresAt: WireTime,
    address: WireAddress,
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;
