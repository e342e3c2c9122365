/**
 * Handles: looked up and searched. Public ones only.
 */
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { LIST_PAGE } from '../../protocol/limits.ts';
import type { RelayContext } from '../context.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { ProblemError } from '../problem-error.ts';
import { describeHandle } from '../store/views/describe-handle.ts';
import type { AddEndpoint } from './endpoint.ts';

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
      text: withoutAt(query.q ?? ''),
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

function withoutAt(text: string): string {
  return text.startsWith('@') ? text.slice(1) : text;
}
