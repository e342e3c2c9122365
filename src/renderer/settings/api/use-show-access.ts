import { useQueryClient } from '@tanstack/react-query';
import type { DeveloperAccess } from '../../../bridge/shapes.ts';
import { queryKey } from '../../bridge.ts';

/** Puts an answer where the query would look for it. */
export function useShowAccess(): (access: DeveloperAccess) => void {
  const client = useQueryClient();
  return (access) => client.setQueryData(queryKey('developer.get', {}), access);
}
