/**
 * Login: a wallet answers a challenge, or a certified device renews.
 *
 * In all schema files: requests are strict objects, which refuse unknown fields;
 * responses are plain objects, which drop them, so that a newer relay does not break an older client.
 */
import { z } from 'zod';
import { Bytes, WalletSignature, WireAddress, WireTime } from './primitives.ts';

export const ChallengeRequest = z.strictObject({ address: WireAddress });

/** The fields of the EIP-4361 text that the wallet signs. The client compares `domain` with the relay it called. */
export const Challenge = z.object({
  domain: z.string(),
  uri: z.string(),
  version: z.literal('1'),
  chainId: z.literal(1),
  statement: z.string(),
  nonce: z.string(),
  issuedAt: WireTime,
  expirationTime: WireTime,
});
export type Challenge = z.infer<typeof Challenge>;

export const WalletLogin = z.strictObject({
  address: WireAddress,
  nonce: z.string().regex(/^[A-Za-z0-9]{8,64}$/, 'must be the nonce of a challenge'),
  signature: WalletSignature,
});
export type WalletLogin = z.infer<typeof WalletLogin>;

/** `signature` is the device's, over the bytes of `sessionRenewalBytes`. */
export const SessionRenewal = z.strictObject({
  address: WireAddress,
  deviceId: Bytes(16),
  issuedAt: WireTime,
  signature: Bytes(64),
});
export type SessionRenewal = z.infer<typeof SessionRenewal>;

export const SessionRequest = z.union([WalletLogin, SessionRenewal]);

export const Session = z.object({ token: z.string(), expiresAt: WireTime, address: WireAddress });
export type Session = z.infer<typeof Session>;
