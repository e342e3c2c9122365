import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';

/** Queries that are asked again once their first answer is there. */
const waiting = new WeakSet<Query>();

/**
 * Queries matching answers again after a change. An invalidation does not repeat a query whose first answer is on its way,
 * and this answer may describe the state before the change: such a query is repeated afterwards.
 */
export function refreshQueries(client: QueryClient, filters: QueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    const { data, fetchStatus } = query.state;
    if (data !== undefined || fetchStatus === 'idle' || waiting.has(query)) continue;
    waiting.add(query);
    const repeat = () => {
      waiting.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.promise?.then(repeat, repeat);
  }
  void client.invalidateQueries(filters);
}
