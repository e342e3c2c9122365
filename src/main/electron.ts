/**
 * The part of Electron that the main process uses, handed in from index.ts, so that tests can hand in a double that
 * is held to Electron's own types.
 */
import type * as Electron from 'electron';

export type ElectronParts = Pick<
  typeof Electron,
  | 'app'
  | 'autoUpdater'
  | 'BrowserWindow'
  | 'clipboard'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'nativeTheme'
  | 'Notification'
  | 'powerMonitor'
  | 'protocol'
  | 'safeStorage'
  | 'screen'
  | 'session'
  | 'shell'
  | 'Tray'
>;
