import { ShortcutList } from '../shared/shortcut-list.tsx';

export function Shortcuts() {
  return <ShortcutList level="h4" />;
}
