import { useInfiniteQuery } from '@tanstack/react-query';
import type { FailureCode } from '../../base/failure.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { callBridge, queryKey, useBridgeQuery } from '../bridge.ts';
import { BridgeFailure } from '../bridge-failure.ts';
import { isCompleteAddress, looksLikeAddress } from '../shared/address.ts';
import { isCalled } from '../shared/person.ts';
import { useDebounced } from '../shared/use-debounced.ts';

const LONGEST_QUERY = 64;

interface PeopleSearch {
  people: Person[];
  /** True while more results may arrive. */
  isLoading: boolean;
  /** Null while the search runs. */
  error: Error | null;
  retry: () => void;
}

/** People whose handle matches the text, the first page of them; none for an address, which is exact. */
export function usePeopleSearch(text: string): PeopleSearch {
  const wanted = text.trim();
  const query = useDebounced(wanted, 200);
  const enabled = isSearchable(query);
  const { data, isLoading, error, refetch } = useBridgeQuery(
    'people.search',
    { query, verifiedOnly: false, cursor: null },
    { enabled },
  );
  const found = (enabled && data?.people) || [];
  const retry = () => void refetch();
  if (query === wanted) return { people: found, isLoading, error: enabled ? error : null, retry };
  // While the person types on, those who fit this text, too, stay.
  const people = found.filter((person) => isCalled(person, wanted));
  return { people, isLoading: isSearchable(wanted), error: null, retry };
}

function isSearchable(text: string): boolean {
  return text !== '' && text.length <= LONGEST_QUERY && !looksLikeAddress(text);
}

interface PeopleDirectory {
  people: Person[];
  hasMore: boolean;
  isLoading: boolean;
  error: Error | null;
  loadMore: () => void;
  /** Requests the page that failed again. */
  retry: () => void;
}

/** The public directory, page by page: complete without a text. */
export function usePeopleDirectory(text: string, verifiedOnly: boolean): PeopleDirectory {
  const query = useDebounced(text.trim(), 200).slice(0, LONGEST_QUERY);
  const enabled = !looksLikeAddress(query);
  const { data, error, fetchNextPage, hasNextPage, isFetching, isFetchNextPageError, refetch } =
    useInfiniteQuery({
      queryKey: [...queryKey('people.search'), 'directory', query, verifiedOnly],
      queryFn: ({ pageParam }) => callBridge('people.search', { query, verifiedOnly, cursor: pageParam }),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.nextCursor,
      enabled,
    });
  return {
    people: (enabled && data?.pages.flatMap((page) => page.people)) || [],
    hasMore: enabled && hasNextPage,
    isLoading: isFetching,
    error,
    loadMore: () => void fetchNextPage(),
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}

interface Owner {
  owner: Person | undefined;
  isLoading: boolean;
  /** Reason why there is no owner, such as a mistyped address; null while it is asked for. */
  error: Error | null;
  /** Null if the answer would be the same. */
  retry: (() => void) | null;
}

const FINAL: readonly FailureCode[] = [
  'address_malformed',
  'address_mistyped',
  'address_unknown',
  'yourself',
];

/** The owner of a complete address. */
export function useOwnerOfAddress(text: string): Owner {
  const enabled = isCompleteAddress(text);
  const resolved = useBridgeQuery('people.resolve', { query: text }, { enabled });
  return {
    owner: resolved.data,
    isLoading: resolved.isLoading,
    error: enabled ? resolved.error : null,
    retry: isFinal(resolved.error) ? null : () => void resolved.refetch(),
  };
}

function isFinal(error: Error | null): boolean {
  return error instanceof BridgeFailure && FINAL.includes(error.code);
}
