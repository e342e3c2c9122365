/** Handles: looked up and searched. Public ones only. */
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { LIST_PAGE } from '../../protocol/limits.ts';
import { toNameText } from '../../protocol/name-search.ts';
import type { RelayContext } from '../context.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { HandleQuery } from '../store/records.ts';
import { describeHandle } from '../store/views/describe-handle.ts';
import type { AddEndpoint } from './endpoint.ts';
import { decodeCursor, encodeCursor } from './pagination.ts';

export function addDirectoryRoutes(add: AddEndpoint, { store }: RelayContext): void {
  add(ENDPOINTS.getHandle, async ({ params }) => {
    const handle = withoutAt(params.handle);
    const entry = await store.findHandle(handle);
    if (!entry) throw new ProblemError('not_found', 'handle', { handle });
    return { body: describeHandle(entry) };
  });

  add(ENDPOINTS.searchHandles, async ({ credential, query }) => {
    const { handles, next } = await store.searchHandles({
      by: credential.account,
      ...meantBy(query.q ?? ''),
      verified: query.verified ?? null,
      limit: query.limit ?? LIST_PAGE.default,
      after: decodeCursor(query.cursor),
    });
    return {
      body: {
        handles: handles.map(describeHandle),
        nextCursor: encodeCursor(next),
      },
    };
  });
}

/** A leading @ means a handle; without it, names are searched too. */
function meantBy(text: string): Pick<HandleQuery, 'text' | 'name'> {
  const handle = withoutAt(text).toLowerCase();
  return {
    text: /^[a-z0-9_]{0,32}$/.test(handle) ? handle : null,
    name: text.startsWith('@') ? null : toNameText(text) || null,
  };
}

function withoutAt(text: string): string {
  return text.startsWith('@') ? text.slice(1) : text;
}
