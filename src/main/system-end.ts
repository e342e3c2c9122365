/** End of the app by the system: shutdown, end of the session, or a signal. */
import type { BrowserWindow } from 'electron';
import type { ElectronParts } from './electron.ts';

/** Replaces Electron's own listeners, which quit as by the person. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for the life of the process: a signal without a listener would end it while it saves.
 * @param end ends the app in order, without questions: nobody may be there to answer
 */
export function followSystemEnd(
  { powerMonitor }: ElectronParts,
  window: BrowserWindow,
  { signals, platform }: { signals: Pick<NodeJS.Process, 'on'>; platform: NodeJS.Platform },
  end: () => void,
): void {
  for (const signal of SIGNALS) signals.on(signal, end);
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
