import { useState } from 'react';
import { defaultSettings } from '../../bridge/default-settings.ts';
import { useAsk, useCommand } from '../bridge.ts';

interface ListWidth {
  width: number;
  change: (width: number) => void;
  keep: () => void;
}

/** How wide the list is: as it is being changed, else as it was kept. */
export function useListWidth(): ListWidth {
  const { data: settings } = useAsk('settings.get', {});
  const [changed, setChanged] = useState<number | null>(null);
  const kept = (settings ?? defaultSettings).listWidth;
  const save = useCommand('settings.set', { onError: () => setChanged(null) });
  return {
    width: changed ?? kept,
    change: setChanged,
    keep: () => {
      if (changed !== null && changed !== kept) save.mutate({ listWidth: changed });
    },
  };
}
