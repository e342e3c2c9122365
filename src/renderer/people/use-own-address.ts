import { useAsk } from '../bridge.ts';

/** The address of the person whose app this is. */
export function useOwnAddress(): string | undefined {
  return useAsk('app.state', {}).data?.me?.address;
}
