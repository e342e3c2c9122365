/**
 * The system's proxy, as Chromium knows it: from the settings of the system, a script that they name, or switches.
 */
import type { Session } from 'electron';
import { proxyUrl } from '../base/proxy-address.ts';
import { RelayUnreachable } from '../client/errors.ts';
import type { FindProxy } from '../client/way-out.ts';

/** Asks Chromium, each time anew: Electron does not tell when the answer changes. */
export function findSystemProxy(session: Pick<Session, 'resolveProxy'>): FindProxy {
  return async (origin) => firstUsable(await session.resolveProxy(origin));
}

/**
 * The first way in a list like `PROXY proxy.example:3128; SOCKS5 10.0.0.1:1080; DIRECT` that we can go. The words are those of
 * proxy scripts (https://developer.mozilla.org/docs/Web/HTTP/Guides/Proxy_servers_and_tunneling/Proxy_Auto-Configuration_PAC_file).
 * @throws RelayUnreachable proxy_unsupported, if it has none
 */
export function firstUsable(list: string): string | null {
  for (const way of list.split(';')) {
    const [kind = '', host = ''] = way.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return null;
    const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' }[kind.toUpperCase()];
    const proxy = scheme === undefined || host === '' ? null : proxyUrl(`${scheme}://${host}`);
    if (proxy !== null) return proxy;
  }
  throw new RelayUnreachable('proxy_unsupported');
}
