import { useEffect } from 'react';
import { useAsk } from '../bridge.ts';

/** Applies the chosen theme to the document; the stylesheet follows the system where none was chosen. */
export function useTheme(): void {
  const theme = useAsk('settings.get', {}).data?.theme;
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
  }, [theme]);
}
