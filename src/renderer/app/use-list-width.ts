import { useState } from 'react';
import { listWidths } from '../../bridge/setting-bounds.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';

interface ListWidth {
  width: number;
  change: (width: number) => void;
  keep: () => void;
}

/** The width of the list: during a change the new one, else the stored one. */
export function useListWidth(): ListWidth {
  const { data: settings } = useBridgeQuery('settings.get', {});
  const [changed, setChanged] = useState<number | null>(null);
  const kept = settings?.listWidth ?? listWidths.initial;
  const save = useCommand('settings.set', { onError: () => setChanged(null) });
  return {
    width: changed ?? kept,
    change: setChanged,
    keep: () => {
      if (changed !== null && changed !== kept) save.mutate({ listWidth: changed });
    },
  };
}
