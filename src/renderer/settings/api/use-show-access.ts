import { useQueryClient } from '@tanstack/react-query';
import type { DeveloperAccess } from '../../../bridge/shapes/developer-access.ts';
import { queryKey } from '../../bridge.ts';

/** Writes an answer into the query's cache. */
export function useShowAccess(): (access: DeveloperAccess) => void {
  const client = useQueryClient();
  return (access) => client.setQueryData(queryKey('developer.get', {}), access);
}
