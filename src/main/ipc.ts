/**
 * The bridge over IPC. A message counts only if it is from the top frame of our own window, showing our own page.
 */
import { createBirpc } from 'birpc';
import type { BrowserWindow, IpcMainEvent } from 'electron';
import { z } from 'zod';
import { BRIDGE_CHANNEL, type InterfaceFunctions, type MainFunctions } from '../bridge/ipc.ts';
import type { Calls } from '../host/calls.ts';
import { PreparedFiles } from '../host/prepared-files.ts';
import { APP_ORIGIN } from './app-scheme.ts';
import type { ElectronParts } from './electron.ts';

/** Calls of `call` from the page's birpc. Others are dropped, because our side trusts its input. */
const PageCall = z.object({
  t: z.literal('q'),
  i: z.string(),
  m: z.literal('call'),
  a: z.tuple([z.string(), z.unknown()]),
});

/** Reports whether a message is from our page in this window. */
function isFromWindow(event: IpcMainEvent, window: BrowserWindow): boolean {
  if (window.isDestroyed() || event.sender !== window.webContents) return false;
  const frame = event.senderFrame;
  return frame !== null && frame === window.webContents.mainFrame && frame.origin === APP_ORIGIN;
}

/**
 * Connects a window to the calls.
 * @returns the function that disconnects it
 */
export function connectWindow({ ipcMain }: ElectronParts, window: BrowserWindow, calls: Calls): () => void {
  let receive: (message: unknown) => void = () => undefined;
  const onMessage = (event: IpcMainEvent, message: unknown) => {
    if (!isFromWindow(event, window)) return;
    const call = PageCall.safeParse(message);
    if (call.success) receive(call.data);
  };
  let prepared = new PreparedFiles(calls);
  const onNavigate = () => {
    prepared.drop();
    prepared = new PreparedFiles(calls);
  };
  const page = createBirpc<InterfaceFunctions, MainFunctions>(
    { call: (name, input) => prepared.call(name, input) },
    {
      post: (message) => {
        if (!window.isDestroyed()) window.webContents.send(BRIDGE_CHANNEL, message);
      },
      on: (listener) => {
        receive = listener;
      },
      eventNames: ['event'],
    },
  );
  ipcMain.on(BRIDGE_CHANNEL, onMessage);
  window.webContents.on('did-navigate', onNavigate);
  const stop = calls.onEvent((name, payload) => void page.event(name, payload));
  return () => {
    ipcMain.off(BRIDGE_CHANNEL, onMessage);
    if (!window.isDestroyed()) window.webContents.off('did-navigate', onNavigate);
    prepared.drop();
    stop();
    page.$close();
  };
}
