/** Accounts at this relay: invitation codes made by members, and the deletion of an account. */
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { DELETION_DELAY, MAX_INVITATION_LIFE } from '../../protocol/schemas/accounts.ts';
import type { RelayContext } from '../context.ts';
import { quotaReached } from '../limits/quotas.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { makeId, makeInvitationCode } from '../secrets.ts';
import type { AddEndpoint } from './endpoint.ts';

export function addAccountRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock, limits } = context;

  add(ENDPOINTS.createInvitation, async ({ credential, body: { uses, expires } }) => {
    if (!context.memberInvitations) throw new ProblemError('forbidden', 'members_invite_nobody');
    const createdAt = clock();
    const expiresAt = decodeTime(expires);
    if (expiresAt <= createdAt || expiresAt > createdAt + MAX_INVITATION_LIFE) {
      throw new ProblemError('invalid_request', 'invitation_expiry');
    }
    const { code, digest } = makeInvitationCode();
    const isMade = await store.createAccountInvitation(
      { id: makeId(), digest, maker: credential.account, uses, createdAt, expiresAt },
      limits.quotas.invitations,
    );
    if (!isMade) throw quotaReached('invitations', limits.quotas);
    return { body: { code, uses, expires } };
  });

  // The wallet may delete the account at once. A device only starts the deletion, so that a stolen device cannot
  // finish it.
  add(ENDPOINTS.deleteAccount, async ({ credential }) => {
    const now = clock();
    const deletesAt = credential.byWallet ? null : now + DELETION_DELAY;
    const outcome = await store.deleteAccount(credential.account, deletesAt, now);
    if (outcome.status === 'owns_groups') throw new ProblemError('owns_groups', 'owns_groups');
    if (outcome.status === 'waiting') {
      return { status: 202, body: { deletesAt: encodeTime(outcome.deletesAt) } };
    }
    waiters.revoke(outcome.credentials);
    waiters.wake(outcome.queues);
    return { status: 204, body: undefined };
  });

  add(ENDPOINTS.cancelDeletion, async ({ credential }) => {
    await store.cancelDeletion(credential.account, clock());
    return { body: undefined };
  });
}
