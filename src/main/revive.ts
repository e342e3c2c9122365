/** Reloads a page whose process has ended: Electron leaves an empty window. */
import type { RenderProcessGoneDetails, WebContents } from 'electron';
import type { ElectronParts } from './electron.ts';
import { showError } from './error-box.ts';
import { t } from './words.ts';

/** Period in which reloads are counted, in milliseconds. */
const WINDOW = 60_000;
/** The most reloads in a period: a page that always ends must not keep the computer busy. */
const MOST = 3;

/** Reasons for which a reload cannot help. */
const HOPELESS: readonly RenderProcessGoneDetails['reason'][] = ['launch-failed', 'integrity-failure'];

export function reviveAfterCrash(contents: WebContents, electron: ElectronParts): void {
  let revivals: number[] = [];
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    revivals = revivals.filter((moment) => moment > Date.now() - WINDOW);
    if (revivals.length >= MOST || HOPELESS.includes(reason)) {
      void showError(electron, t('desktop.windowCloses'), t('desktop.windowClosesHelp'));
      return;
    }
    revivals.push(Date.now());
    // Chromium is still stopping the old process at the time of the event.
    setImmediate(() => {
      if (!contents.isDestroyed()) contents.reload();
    });
  });
}
