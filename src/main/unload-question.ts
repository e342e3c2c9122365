/**
 * The question before a page with an unsaved secret closes or reloads. A browser asks it. Electron does not:
 * the page would either close, or silently keep the app from quitting.
 */
import type { BrowserWindow } from 'electron';
import type { ElectronParts } from './electron.ts';
import { t } from './words.ts';

/** Indexes of the buttons. */
const STAY = 0;
const LEAVE = 1;

/**
 * Asks in a non-blocking box, so that the main process still handles the end of the system.
 * @param onAsk called when the question has stopped a closing or quitting: the person has to see the window
 * @returns a function that closes the window without a question, including an open one
 */
export function askBeforeUnload(
  { dialog }: Pick<ElectronParts, 'dialog'>,
  window: BrowserWindow,
  onAsk: () => void,
): () => void {
  const { webContents: contents } = window;
  let mayGo = false;
  let isAsking = false;
  let isClosing = false;
  // Registered after the listener that hides the window instead.
  window.on('close', (event) => {
    isClosing ||= !event.defaultPrevented;
  });
  contents.on('did-navigate', () => {
    mayGo = false;
  });
  contents.on('will-prevent-unload', (event) => {
    if (mayGo) {
      // Preventing the event means that the page stays.
      event.preventDefault();
      return;
    }
    onAsk();
    if (!isAsking) void ask();
  });
  /** Electron drops a close request while it waits for the page: a second try must not depend on the page. */
  const leave = () => {
    mayGo = true;
    if (isAsking && !window.isDestroyed()) window.destroy();
  };

  async function ask(): Promise<void> {
    isAsking = true;
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: t('desktop.unsaved'),
      detail: t('desktop.unsavedText'),
      buttons: [t('desktop.unsavedStay'), t('desktop.unsavedLeave')],
      defaultId: STAY,
      cancelId: STAY,
      noLink: true,
    });
    const closes = isClosing;
    if (response === LEAVE && closes) leave();
    isAsking = false;
    isClosing = false;
    if (response !== LEAVE || closes || window.isDestroyed()) return;
    mayGo = true;
    contents.reload();
  }
  return leave;
}
