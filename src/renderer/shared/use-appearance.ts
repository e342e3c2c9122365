import { useLayoutEffect } from 'react';
import { useBridgeQuery } from '../bridge.ts';

/** Applies theme, text size and density to the document, as the host wrote them into the page. */
export function useAppearance(): void {
  const { data: settings } = useBridgeQuery('settings.get', {});
  useLayoutEffect(() => {
    if (!settings) return;
    const { theme, textSize, density } = settings;
    Object.assign(document.documentElement.dataset, { theme, textSize, density });
  }, [settings]);
}
