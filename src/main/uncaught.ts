/**
 * Uncaught errors of the main process. By default Electron shows an exception with its stack in a box, and
 * prints a rejection on a terminal, and neither is logged.
 */
import { describe } from '../base/error-facts.ts';
import { logUnexpected } from '../base/log.ts';
import type { ElectronParts } from './electron.ts';
import { showError } from './error-box.ts';
import { failureText, t } from './words.ts';

/** The other end of a pipe, a terminal or a connection is gone, and nothing waited for it. */
const GONE = new Set(['EPIPE', 'EIO', 'ECONNRESET']);

/**
 * Logs each error. After an exception the state of the app is unknown: it reports that and ends in order, or
 * at once after a second one. After a rejection one action has failed: the first is reported, and the app
 * continues.
 */
export function followUncaught(
  process: Pick<NodeJS.Process, 'on'>,
  electron: Pick<ElectronParts, 'app' | 'dialog'>,
): void {
  let isReported = false;
  let isEnding = false;
  process.on('unhandledRejection', (error) => {
    const id = logUnexpected(describe(error), 'rejection.unhandled');
    if (isReported || isGone(error)) return;
    isReported = true;
    void showError(electron, t('desktop.fault'), failureText({ code: 'unexpected', parameters: { id } }));
  });
  process.on('uncaughtException', (error) => {
    const id = logUnexpected(describe(error), 'exception.uncaught');
    if (isGone(error)) return;
    if (isEnding) {
      electron.app.exit(1);
      return;
    }
    isEnding = true;
    void showError(electron, t('desktop.stopped'), t('desktop.faultEnds', { id })).finally(() =>
      electron.app.quit(),
    );
  });
}

const isGone = (error: unknown) => GONE.has(describe(error).code);
