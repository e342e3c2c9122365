/**
 * Which proxy a host takes, as the person has set it.
 */
import type { Settings } from '../bridge/shapes.ts';
import { type FindProxy, findProxyByEnvironment } from '../client/way-out.ts';

/**
 * @param settings as they are now, asked each time
 * @param findSystems the system's proxy; by default the one that the environment names
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
