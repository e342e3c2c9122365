import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';

/** Queries that are asked again once the answer on its way is there. */
const waiting = new WeakSet<Query>();

/**
 * Queries matching answers again after a change. An invalidation does not repeat a query whose first answer is on its way,
 * and this answer may describe the state before the change: such a query is repeated afterwards.
 * @param isFrequent true after changes that may follow each other quickly: any query whose answer is on its way is repeated once
 * afterwards. Otherwise a repeated query begins again at once.
 */
export function refreshQueries(client: QueryClient, filters: QueryFilters, isFrequent = false): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    const { data, fetchStatus } = query.state;
    if (fetchStatus === 'idle' || waiting.has(query) || (data !== undefined && !isFrequent)) continue;
    waiting.add(query);
    const repeat = () => {
      waiting.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    void query.promise?.then(repeat, repeat);
  }
  void client.invalidateQueries(filters, { cancelRefetch: !isFrequent });
}
