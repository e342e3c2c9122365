import { useAsk } from '../bridge.ts';
import { heardShortcuts, keysText, type ShortcutName } from './shortcuts.ts';

/** The keys of a shortcut, for a tooltip; undefined if this host never receives them. */
export function useKeys(): (name: ShortcutName) => string | undefined {
  const { data: host } = useAsk('host.info', {});
  const heard = heardShortcuts(host?.kind ?? 'browser');
  return (name) => (heard.includes(name) ? keysText(name) : undefined);
}
