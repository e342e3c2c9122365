import { useEffectEvent, useLayoutEffect } from 'react';
import { type DialogName, useNavigation } from './navigation.tsx';

const dialogKeys: Record<string, DialogName> = { k: 'palette', n: 'new-chat', ',': 'settings' };

/** Ctrl or Cmd with K (palette), N (new chat), comma (settings), I (details). L locks, also before this is shown. */
export function useShortcuts(): void {
  const navigation = useNavigation();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const key = event.key.toLowerCase();
    const dialog = dialogKeys[key];
    if (dialog) navigation.openDialog(dialog);
    else if (key === 'i' && navigation.conversationId !== null) navigation.toggleDetails();
    else return;
    event.preventDefault();
  });
  // Before they are painted: what is shown answers to its keys.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** The modifier as it is printed on this machine's keyboard. */
export const modifierKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl ';
