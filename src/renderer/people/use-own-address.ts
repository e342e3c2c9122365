import { useBridgeQuery } from '../bridge.ts';

/** The person's own address. */
export function useOwnAddress(): string | undefined {
  return useBridgeQuery('app.state', {}).data?.me?.address;
}
