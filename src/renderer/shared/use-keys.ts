import { useAsk } from '../bridge.ts';
import { heardShortcuts, keysText, type ShortcutName } from './shortcuts.ts';

/** Says the keys of a shortcut, for a tooltip; nothing for those that this host never hears of. */
export function useKeys(): (name: ShortcutName) => string | undefined {
  const { data: host } = useAsk('host.info', {});
  const heard = heardShortcuts(host?.kind ?? 'browser');
  return (name) => (heard.includes(name) ? keysText(name) : undefined);
}
