/** The system's proxy according to Chromium: from the system's settings, a proxy script, or switches. */
import type { Session } from 'electron';
import { proxyUrl } from '../base/proxy-address.ts';
import { RelayUnreachable } from '../client/errors.ts';
import type { FindProxy } from '../client/way-out.ts';

/** Asks Chromium each time: Electron does not report changes. */
export function findSystemProxy(session: Pick<Session, 'resolveProxy'>): FindProxy {
  return async (origin) => firstUsable(await session.resolveProxy(origin));
}

/**
 * The first usable entry of a list like `PROXY proxy.example:3128; SOCKS5 10.0.0.1:1080; DIRECT`. The words
 * are those of proxy scripts
 * (https://developer.mozilla.org/docs/Web/HTTP/Guides/Proxy_servers_and_tunneling/Proxy_Auto-Configuration_PAC_file).
 * @throws RelayUnreachable proxy_unsupported without a usable one
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
