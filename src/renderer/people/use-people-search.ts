import type { Person } from '../../bridge/shapes.ts';
import { useAsk } from '../bridge.ts';
import { isCompleteAddress, looksLikeAddress } from '../shared/address.ts';
import { useDebounced } from '../shared/use-debounced.ts';

/** People whose handle begins like the text; none for an address, which is exact. */
export function usePeopleSearch(text: string): Person[] {
  const query = useDebounced(text.replace(/^@/, '').trim(), 200);
  const enabled = query !== '' && query.length <= 64 && !looksLikeAddress(query);
  const { data } = useAsk('people.search', { query }, { enabled });
  return (enabled && data) || [];
}

/** Who has an address, once it is complete. */
export function useOwnerOfAddress(text: string): Person | undefined {
  return useAsk('people.resolve', { query: text }, { enabled: isCompleteAddress(text) }).data;
}
