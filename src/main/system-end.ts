/**
 * The system ends the app: the computer shuts down, the session ends, or a signal comes.
 */
import type { BrowserWindow } from 'electron';
import type { ElectronParts } from './electron.ts';

/** Takes the place of Electron's own listeners to these, which quit as a person does. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Follows it for as long as the process lives: a signal without a listener would end the process while it saves.
 * @param end ends the app in order, and asks nothing: nobody may be there to answer
 */
export function followSystemEnd(
  { powerMonitor }: ElectronParts,
  window: BrowserWindow,
  { signals, platform }: { signals: Pick<NodeJS.Process, 'on'>; platform: NodeJS.Platform },
  end: () => void,
): void {
  for (const signal of SIGNALS) signals.on(signal, end);
  // Windows tells no other event when the person logs out, and ends anyone who has not begun to quit by then.
  if (platform === 'win32') {
    window.on('session-end', end);
    return;
  }
  // Its event is not in Electron's types.
  powerMonitor.on('shutdown', (event?: Electron.Event) => {
    // The system waits a few seconds for the app to end.
    event?.preventDefault();
    end();
  });
}
