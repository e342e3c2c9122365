/**
 * Links: left by an app that has the identity, taken once by one that is given the code.
 */
import { encodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { LINK_LIFE } from '../../protocol/link.ts';
import type { RelayContext } from '../context.ts';
import { ProblemError } from '../problem-error.ts';
import { quotaReached } from '../quotas.ts';
import type { AddEndpoint } from './endpoint.ts';

export function addLinkRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, clock, limits } = context;

  add(ENDPOINTS.putLink, async ({ credential, params, body }) => {
    const now = clock();
    const link = {
      id: params.id,
      account: credential.account,
      sealed: body.sealed,
      expiresAt: now + LINK_LIFE,
    };
    const outcome = await store.saveLink(link, now, limits.quotas.links);
    if (outcome.status === 'full') throw quotaReached('links', limits.quotas);
    if (outcome.status !== 'waiting') {
      throw new ProblemError('link_conflict', 'link_conflict');
    }
    return { body: { id: params.id, expiresAt: encodeTime(outcome.expiresAt) } };
  });

  add(ENDPOINTS.deleteLink, async ({ credential, params }) => {
    if (!(await store.deleteLink(credential.account, params.id, clock()))) throw nothingThere();
    return { body: undefined };
  });

  add(ENDPOINTS.takeLink, async ({ params }) => {
    const sealed = await store.takeLink(params.id, clock());
    if (sealed === null) throw nothingThere();
    return { body: { id: params.id, sealed } };
  });
}

/** The one answer, whether it was never there, was taken, was cancelled or has expired. */
function nothingThere(): ProblemError {
  return new ProblemError('not_found', 'link');
}
