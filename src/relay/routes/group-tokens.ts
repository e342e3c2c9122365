/**
 * Group tokens: created and revoked by the creator. They are listed in the view of the group.
 */
import { encodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import type { RelayContext } from '../context.ts';
import { quotaReached } from '../limits/quotas.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { makeId, makeSecret } from '../secrets.ts';
import { type AddEndpoint, unauthorized } from './endpoint.ts';
import { requireCreator, requireGroup } from './group-access.ts';

export function addGroupTokenRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock, limits } = context;

  add(ENDPOINTS.createToken, async ({ credential, params, body }) => {
    const group = await requireGroup(context, params.id, credential);
    await requireCreator(context, group, credential);
    const { secret, digest, prefix } = makeSecret('group_token');
    const token = { id: makeId(), name: body.name, prefix, createdAt: clock() };
    const { quotas } = limits;
    const created = { ...token, digest, session: credential.id };
    const outcome = await store.createGroupToken(group.key, credential.account, created, quotas.groupTokens);
    if (outcome === 'session_ended') throw unauthorized();
    if (outcome === 'full') throw quotaReached('groupTokens', quotas);
    if (outcome === 'forbidden') {
      throw new ProblemError('forbidden', 'creator_left');
    }
    return { body: { ...token, createdAt: encodeTime(token.createdAt), secret } };
  });

  add(ENDPOINTS.revokeToken, async ({ credential, params }) => {
    const group = await requireGroup(context, params.id, credential);
    await requireCreator(context, group, credential);
    if (!(await store.revokeGroupToken(group.key, params.tokenId, clock()))) {
      throw new ProblemError('not_found', 'group_token');
    }
    waiters.revoke([params.tokenId]);
    return { body: undefined };
  });
}
