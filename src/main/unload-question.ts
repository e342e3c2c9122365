/**
 * The question of a page that would lose something, before it is closed or loaded again. A browser asks it; Electron asks none, and the page
 * would either go, or stay and keep the app from quitting, without a word.
 */
import type { BrowserWindow } from 'electron';
import type { ElectronParts } from './electron.ts';
import { t } from './words.ts';

/** Places of the buttons. */
const STAY = 0;
const LEAVE = 1;

/**
 * Asks. A box that blocks would keep the main process from hearing that the system shuts down.
 * @param onAsk called when a closing or a quitting has been stopped by it: the person has to see the window
 * @returns a function after which nothing is asked until the page has been loaded again
 */
export function askBeforeUnload(
  { app, dialog }: Pick<ElectronParts, 'app' | 'dialog'>,
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
      // Prevented is the page's wish to stay.
      event.preventDefault();
      return;
    }
    onAsk();
    if (!isAsking) void ask();
  });
  const allow = () => {
    mayGo = true;
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
    isAsking = false;
    isClosing = false;
    if (response !== LEAVE || window.isDestroyed()) return;
    allow();
    // A window that closes ends the app.
    if (closes) app.quit();
    else contents.reload();
  }
  return allow;
}
