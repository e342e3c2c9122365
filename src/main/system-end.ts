/** End of the app by the system: shutdown, end of the session, or a signal. */
import type { BrowserWindow } from 'electron';
import type { ElectronParts } from './electron.ts';

/** Replaces Electron's own listeners, which quit as by the person. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The process, for its signals. */
export type Signals = Pick<NodeJS.Process, 'on' | 'removeAllListeners'>;

/**
 * Listens for the life of the process: a signal without a listener would end it while it saves.
 *
 * Other listeners are removed. electron-store's file writer registers its own while the app loads; Electron then
 * replaces Node's handlers with its own, and Node installs a handler again only for the first listener of a
 * signal. That listener would also send the signal a second time.
 * @param end ends the app in order, without questions: perhaps no one is there to answer
 */
export function followSystemEnd(
  { powerMonitor }: ElectronParts,
  window: BrowserWindow,
  { signals, platform }: { signals: Signals; platform: NodeJS.Platform },
  end: () => void,
): void {
  for (const signal of SIGNALS) {
    signals.removeAllListeners(signal);
    signals.on(signal, end);
  }
  // Windows sends no other event at log-out, and kills an app that has not begun to quit by then.
  if (platform === 'win32') {
    window.on('session-end', end);
    return;
  }
  // Its event is missing in Electron's types.
  powerMonitor.on('shutdown', (event?: Electron.Event) => {
    // The system waits a few seconds for the app to end.
    event?.preventDefault();
    end();
  });
}
