import type { Me } from '../../../bridge/shapes.ts';

/** The name of the account's server, as people say it: without the scheme. */
export function serverOf({ relayUrl }: Pick<Me, 'relayUrl'>): string {
  return URL.canParse(relayUrl) ? new URL(relayUrl).host : relayUrl;
}
