/** The app's window on the double of Electron. Its connection leads to a recorder of calls. */

import { BRIDGE_CHANNEL } from '../../src/bridge/ipc.ts';
import { defaultSettings } from '../../src/bridge/settings.ts';
import type { Calls } from '../../src/host/calls.ts';
import { APP_SCHEME, appSchemeHandler } from '../../src/main/app-scheme.ts';
import { connectWindow } from '../../src/main/ipc.ts';
import { createWindow } from '../../src/main/window.ts';
import { ElectronDouble } from './electron/index.ts';
import type { FrameDouble } from './electron/web-contents.ts';

/** The app's window. */
export async function openWindow(platform: NodeJS.Platform = 'linux') {
  const electron = new ElectronDouble({ platform });
  electron.protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  electron.app.becomeReady();
  const page = { type: 'text/html', body: Buffer.from('<!doctype html>') };
  electron.protocol.handle(
    'app',
    appSchemeHandler(new Map([['/', page]]), () => defaultSettings),
  );
  const made = await createWindow(electron.parts, {
    preload: '/out/preload/index.cjs',
    icon: null,
    place: { width: 1200, height: 800 },
  });
  const { shell, window } = electron;
  return { electron, made, shell, window, contents: window.contents };
}

/** A window that is connected to recording calls. */
export async function connected(platform: NodeJS.Platform = 'linux') {
  const { electron, made } = await openWindow(platform);
  const reached: [string, unknown][] = [];
  const listeners = new Set<Parameters<Calls['onEvent']>[0]>();
  const calls: Calls = {
    files: () => null,
    async call(name, input) {
      reached.push([name, input]);
      return { ok: true, value: null };
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: (name, payload) => {
      for (const listener of listeners) listener(name, payload);
    },
    settings: () => defaultSettings,
    attended: () => null,
    onAttend: () => () => undefined,
  };
  const disconnect = connectWindow(electron.parts, made, calls);
  const send = (
    message: unknown,
    frame: FrameDouble | null = electron.window.contents.frame,
    sender = electron.window.contents,
  ) => electron.ipcMain.deliver(BRIDGE_CHANNEL, sender, frame, message);
  return { electron, made, calls, reached, send, disconnect };
}

/** Waits long enough for accepted calls to be recorded. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
