/** The proxy setting in Chromium's form. */
import type { ProxyConfig } from 'electron';
import type { ProxySetting } from '../bridge/shapes/app.ts';

export function proxyConfigOf(proxy: ProxySetting): ProxyConfig {
  if (proxy.kind === 'system') return { mode: 'system' };
  if (proxy.kind === 'none') return { mode: 'direct' };
  return { mode: 'fixed_servers', proxyRules: proxy.address };
}
