/** Groups: the directory, a group's listing in it, and a group with the keys of its members. */
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { LIST_PAGE } from '../../protocol/limits.ts';
import type { RelayContext } from '../context.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { describeEntry } from '../store/views/group-view.ts';
import type { AddEndpoint } from './endpoint.ts';
import { describeGroup, requireCreator, requireGroup, requireMember } from './group-access.ts';
import { decodeCursor, encodeCursor } from './pagination.ts';

export function addGroupRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, clock } = context;

  add(ENDPOINTS.searchGroups, async ({ credential, query }) => {
    if (query.mine && credential.type === 'group_token') {
      throw new ProblemError('group_token_not_allowed', 'group_token_not_allowed');
    }
    const { groups, next } = await store.searchGroups({
      by: credential.account,
      text: query.q || null,
      memberAccount: query.mine ? credential.account : null,
      limit: query.limit ?? LIST_PAGE.default,
      after: decodeCursor(query.cursor),
    });
    return {
      body: {
        groups: groups.map(describeEntry),
        nextCursor: encodeCursor(next),
      },
    };
  });

  add(ENDPOINTS.putListing, async ({ credential, params, body }) => {
    const group = await requireGroup(context, params.id, credential);
    await requireCreator(context, group, credential);
    await store.setListed(group.key, body.listed, credential.account, clock());
    return { body: undefined };
  });

  add(ENDPOINTS.getGroup, async ({ credential, params }) => {
    const group = await requireGroup(context, params.id, credential);
    await requireMember(context, group, credential);
    return { body: await describeGroup(context, group, credential) };
  });
}
