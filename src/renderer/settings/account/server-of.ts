import type { Me } from '../../../bridge/shapes/account.ts';

/** The short name of the account's server: without the scheme. */
export function serverOf({ relayUrl }: Pick<Me, 'relayUrl'>): string {
  return URL.canParse(relayUrl) ? new URL(relayUrl).host : relayUrl;
}
