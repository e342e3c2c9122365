/** The proxy of a host, according to the person's settings. */
import type { Settings } from '../bridge/settings.ts';
import { type FindProxy, findProxyByEnvironment } from '../client/way-out.ts';

/**
 * @param settings current ones, read each time
 * @param findSystems the system's proxy; by default from the environment
 */
export function proxyAsSet(
  settings: () => Settings,
  findSystems: FindProxy = findProxyByEnvironment,
): FindProxy {
  return async (origin) => {
    const { proxy } = settings();
    if (proxy.kind === 'system') return findSystems(origin);
    return proxy.kind === 'none' ? null : proxy.address;
  };
}
