/** Checks whether a relay answers at an address. */
import { z } from 'zod';
import { Failure, type FailureData } from '../base/failure.ts';
import { toFailure } from '../base/log.ts';
import { API_PREFIX } from '../protocol/endpoints.ts';
import { toLabel } from '../protocol/label.ts';
import { isOwnComputer } from '../protocol/relay-origin.ts';
import { Registration } from '../protocol/schemas/accounts.ts';
import { RelayHttp } from './http.ts';

/** Public facts about a relay. Shown to people before they trust it. */
const RelayInfo = z.object({
  name: z.string().transform((name) => toLabel(name) || null),
  apiVersion: z.string().regex(/^[\w.-]{1,16}$/),
  // Unknown values of newer relays: the login's refusal names the condition.
  registration: Registration.catch('open'),
});

export interface RelayCheck {
  ok: boolean;
  url: string;
  name: string | null;
  version: string | null;
  /** The condition for opening an account there; null unless ok. */
  registration: Registration | null;
  /** Null if ok. */
  problem: FailureData | null;
}

/**
 * A relay's base URL from typed text: https if no scheme is given, no path, no slash at the end. Plain http is only
 * allowed for this computer, because others on the network could see the login, and who writes to whom.
 * @throws Failure
 */
export function normaliseRelayUrl(typed: string): string {
  const text = typed.trim();
  const guess = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isOwnComputer(hostOf(text)) ? 'http' : 'https'}://${text}`;
  const url = URL.canParse(guess) ? new URL(guess) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.hostname === '' || url.username !== '') {
    throw new Failure('relay_address_malformed');
  }
  if (url.protocol === 'http:' && !isOwnComputer(url.hostname)) {
    throw new Failure('relay_address_insecure');
  }
  return url.origin;
}

function hostOf(text: string): string {
  return URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : '';
}

/** Checks a relay live. Never fails: the result names the problem. */
export async function checkRelay(typed: string): Promise<RelayCheck> {
  const failed = (url: string, { data: problem }: Failure): RelayCheck => ({
    ok: false,
    url,
    name: null,
    version: null,
    registration: null,
    problem,
  });
  let url: string;
  try {
    url = normaliseRelayUrl(typed);
  } catch (error) {
    return failed(typed, toFailure(error));
  }
  try {
    const { status, json } = await new RelayHttp(url).request('GET', API_PREFIX, { timeout: 5_000 });
    const info = RelayInfo.safeParse(json);
    if (status !== 200 || !info.success) {
      return failed(url, new Failure('not_a_relay'));
    }
    if (info.data.apiVersion !== '1') {
      return failed(url, new Failure('relay_version', { version: info.data.apiVersion }));
    }
    const { name, apiVersion: version, registration } = info.data;
    return { ok: true, url, name, version, registration, problem: null };
  } catch (error) {
    return failed(url, toFailure(error));
  }
}
