/**
 * Links of first run, until the main window opens them. In the memory of the host, which survives a reload of the page: the storage of
 * a browser is a file that is not encrypted, and the link of a person contains a secret.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { FirstLinks } from '../../bridge/shapes/app.ts';
import { callBridge, queryKey, useBridgeEvent, useBridgeQuery } from '../bridge.ts';
import { withOpened } from './first-links.ts';

const NO_LINKS: FirstLinks = { entered: null, others: [] };

/** Changes the links. Returns the same object for no change. */
export type ChangeLinks = (update: (links: FirstLinks) => FirstLinks) => void;

/**
 * The links, and the function that changes them. null until they are loaded.
 * @param receives true during first run: opened links are added. Later, the main window receives them.
 */
export function useFirstLinks(receives: boolean): { links: FirstLinks | null; change: ChangeLinks } {
  const client = useQueryClient();
  const { data, isError } = useBridgeQuery('host.firstLinks', {});
  const links = data ?? (isError ? NO_LINKS : null);
  const change: ChangeLinks = (update) => {
    const key = queryKey('host.firstLinks', {});
    const before = client.getQueryData<FirstLinks>(key) ?? NO_LINKS;
    const next = update(before);
    if (next === before) return;
    // An answer on its way is older.
    void client.cancelQueries({ queryKey: key });
    client.setQueryData(key, next);
    // Refused only while locked: then this page shows the lock screen.
    callBridge('host.setFirstLinks', next).catch(() => undefined);
  };
  const isReceiving = receives && links !== null;
  const receive = useEffectEvent(() => {
    if (!isReceiving) return;
    callBridge('host.receiveLink', {}).then(
      ({ link }) => link && change((now) => withOpened(now, link)),
      // Locked meanwhile: the link is fetched after unlocking.
      () => undefined,
    );
  });
  useEffect(() => {
    if (isReceiving) receive();
  }, [isReceiving]);
  useBridgeEvent('link.waiting', () => receive());
  return { links, change };
}
