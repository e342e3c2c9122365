/**
 * Login by wallet, renewal by device, and logout.
 */

import { toChecksumAddress } from '../../protocol/address.ts';
import { verifyEd25519 } from '../../protocol/crypto.ts';
import { decodeBase64Url, decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { CHALLENGE_LIFE, RENEWAL_WINDOW, SESSION_LIFE } from '../../protocol/figures.ts';
import type { Challenge, Session, SessionRenewal, WalletLogin } from '../../protocol/schemas/auth.ts';
import { sessionRenewalBytes } from '../../protocol/session-renewal.ts';
import { verifySiwe } from '../../protocol/siwe.ts';
import type { RelayContext } from '../context.ts';
import { InvitationGuesses } from '../http/invitation-guesses.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { digestOf, makeId, makeNonce, makeSecret } from '../secrets.ts';
import type { LoginChallenge, NewSession } from '../store/records.ts';
import { type AddEndpoint, accountSuspended } from './endpoint.ts';

const STATEMENT = 'Log in to this relay. This sends no transaction and costs nothing.';

/** The answer to every failed login, for any reason. */
function loginFailed(): ProblemError {
  return new ProblemError('unauthorized', 'login');
}

export function addAuthRoutes(add: AddEndpoint, context: RelayContext): void {
  const guesses = new InvitationGuesses(context.counters);

  /**
   * Opens a session for the wallet, and creates an account at its first login. A code is used up only by a new
   * account.
   */
  async function login(
    { address, invitation, reopen = false }: WalletLogin,
    network: string,
  ): Promise<Session> {
    if (invitation === undefined || (await context.store.hasAccount(address))) {
      return openSession(context, address, { reopens: reopen });
    }
    const undo = await guesses.begin(network);
    try {
      const session = await openSession(context, address, { invitation });
      undo();
      return session;
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'invitation_required') undo();
      throw error;
    }
  }

  add(ENDPOINTS.createChallenge, async ({ body, network }) => {
    const issuedAt = context.clock();
    const challenge = {
      nonce: makeNonce(),
      address: body.address,
      issuedAt,
      expiresAt: issuedAt + CHALLENGE_LIFE,
    };
    const networkName = context.networks.nameOfAddress(network);
    await context.store.saveChallenge(challenge, networkName, context.limits.challenges);
    return { body: challengeFields(context, challenge) };
  });

  add(ENDPOINTS.createSession, async ({ body, network }) => {
    if ('nonce' in body) {
      await verifyWallet(context, body);
      return { body: await login(body, network) };
    }
    await verifyRenewal(context, body);
    const renewal = { deviceId: body.deviceId, issuedAt: decodeTime(body.issuedAt) };
    return { body: await openSession(context, body.address, { renewal }) };
  });

  add(ENDPOINTS.deleteSession, async ({ credential }) => {
    await context.store.deleteSession(credential.id);
    context.waiters.revoke([credential.id]);
    return { body: undefined };
  });
}

function challengeFields(context: RelayContext, challenge: LoginChallenge): Challenge {
  const url = context.publicUrl();
  return {
    domain: url.host,
    uri: url.origin,
    version: '1',
    chainId: 1,
    statement: STATEMENT,
    nonce: challenge.nonce,
    issuedAt: encodeTime(challenge.issuedAt),
    expirationTime: encodeTime(challenge.expiresAt),
  };
}

/** @throws ProblemError unauthorized. The challenge is deleted before the signature is checked. */
async function verifyWallet(context: RelayContext, login: WalletLogin): Promise<void> {
  const challenge = await context.store.consumeChallenge(login.nonce);
  if (!challenge || challenge.address !== login.address) throw loginFailed();
  const fields = { ...challengeFields(context, challenge), address: toChecksumAddress(login.address) };
  const expected = { domain: context.publicUrl().host, nonce: challenge.nonce, now: context.clock() };
  if (!verifySiwe(fields, login.signature, expected)) throw loginFailed();
}

/** @throws ProblemError unauthorized unless a device that the address certifies signed within a minute of now */
async function verifyRenewal(context: RelayContext, renewal: SessionRenewal): Promise<void> {
  const now = context.clock();
  if (Math.abs(decodeTime(renewal.issuedAt) - now) > RENEWAL_WINDOW) throw loginFailed();
  const published = await context.store.readDevices(renewal.address);
  const device = published?.deviceList.devices.find(({ deviceId }) => deviceId === renewal.deviceId);
  if (!device || now >= decodeTime(device.validUntil)) throw loginFailed();
  const domain = context.publicUrl().host;
  const signed = sessionRenewalBytes(renewal.address, renewal.deviceId, renewal.issuedAt, domain);
  if (!verifyEd25519(decodeBase64Url(device.key), signed, decodeBase64Url(renewal.signature))) {
    throw loginFailed();
  }
}

async function openSession(
  context: RelayContext,
  address: string,
  {
    renewal = null,
    invitation = null,
    reopens = false,
  }: { renewal?: NewSession['renewal']; invitation?: string | null; reopens?: boolean },
): Promise<Session> {
  const { secret, digest } = makeSecret('session');
  const createdAt = context.clock();
  const expiresAt = createdAt + SESSION_LIFE;
  const code = invitation === null ? null : digestOf(invitation);
  const admission = { policy: context.registration, invitation: code };
  const session = { id: makeId(), digest, address, createdAt, expiresAt, renewal, admission, reopens };
  const result = await context.store.createSession(session, context.limits.quotas.sessions);
  if (result.status === 'suspended') throw accountSuspended();
  if (result.status === 'deleted') throw new ProblemError('account_deleted', 'account_deleted');
  if (result.status === 'invitation_required' || result.status === 'registration_closed') {
    throw new ProblemError(result.status, result.status);
  }
  if (result.status !== 'opened') throw loginFailed();
  context.waiters.revoke(result.ended);
  return { token: secret, expiresAt: encodeTime(expiresAt), address };
}
