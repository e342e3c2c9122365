import { useAsk } from '../bridge.ts';

/** The person's own address. */
export function useOwnAddress(): string | undefined {
  return useAsk('app.state', {}).data?.me?.address;
}
