/**
 * Errors of the main process that nothing has caught. Left to Electron, an exception shows a box with its stack, a rejection
 * is a line on a terminal, and neither is in the log.
 */
import { describe } from '../base/error-facts.ts';
import { logUnexpected } from '../base/log.ts';
import type { ElectronParts } from './electron.ts';
import { failureText, t } from './words.ts';

/** The other end of a pipe, a terminal or a connection has gone, and nothing waited for it. */
const GONE = new Set(['EPIPE', 'EIO', 'ECONNRESET']);

/**
 * Writes each into the log. After an exception nothing is known about the state of the app: it reports that and ends in order,
 * at once if there is another one meanwhile. After a rejection one action has failed: the first is reported, and the app
 * goes on.
 */
export function followUncaught(
  process: Pick<NodeJS.Process, 'on'>,
  { app, dialog }: Pick<ElectronParts, 'app' | 'dialog'>,
): void {
  let isReported = false;
  let isEnding = false;
  process.on('unhandledRejection', (error) => {
    const id = logUnexpected(describe(error), 'rejection.unhandled');
    if (isReported || isGone(error)) return;
    isReported = true;
    dialog.showErrorBox(t('desktop.fault'), failureText({ code: 'unexpected', parameters: { id } }));
  });
  process.on('uncaughtException', (error) => {
    const id = logUnexpected(describe(error), 'exception.uncaught');
    if (isGone(error)) return;
    if (isEnding) {
      app.exit(1);
      return;
    }
    isEnding = true;
    dialog.showErrorBox(t('desktop.stopped'), t('desktop.faultEnds', { id }));
    app.quit();
  });
}

const isGone = (error: unknown) => GONE.has(describe(error).code);
