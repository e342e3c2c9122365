import { useBridgeQuery } from '../bridge.ts';
import { availableShortcuts, keysText, type ShortcutName } from './shortcuts.ts';

/** The keys of a shortcut, for a tooltip; undefined if this host never receives them. */
export function useKeys(): (name: ShortcutName) => string | undefined {
  const { data: host } = useBridgeQuery('host.info', {});
  const available = availableShortcuts(host?.kind ?? 'browser');
  return (name) => (available.includes(name) ? keysText(name) : undefined);
}
