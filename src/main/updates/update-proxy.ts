/** The proxy for updates: the one set for servers. */
import type { Session } from 'electron';
import { describe } from '../../base/error-facts.ts';
import { log } from '../../base/log.ts';
import type { Settings } from '../../bridge/settings.ts';
import type { Calls } from '../../host/calls.ts';
import { proxyConfigOf } from '../proxy-config.ts';

/** electron-updater's name for the session of its requests. */
export const UPDATE_PARTITION = 'electron-updater';

/**
 * Applies it now and after each change.
 * @returns the function that stops it
 */
export function followProxy(session: Session, calls: Pick<Calls, 'settings' | 'onEvent'>): () => void {
  const set = ({ proxy }: Settings) => {
    session
      .setProxy(proxyConfigOf(proxy))
      .catch((error) => log('warn', 'updates.proxy-unset', describe(error)));
  };
  set(calls.settings());
  return calls.onEvent((name, payload) => {
    if (name === 'settings.changed') set(payload as Settings);
  });
}
