/**
 * The preload script, in the sandbox: exposes the bridge to the page, and nothing else.
 */
import { createBirpc } from 'birpc';
import { contextBridge, ipcRenderer } from 'electron';
import { BRIDGE_CHANNEL, type InterfaceFunctions, type MainFunctions } from '../bridge/ipc.ts';
import { makePageBridge } from '../bridge/page-bridge.ts';

const { bridge, emit } = makePageBridge((name, input) => main.call(name, input));

const main = createBirpc<MainFunctions, InterfaceFunctions>(
  { event: emit },
  {
    post: (message) => ipcRenderer.send(BRIDGE_CHANNEL, message),
    // Electron's event object stays here: it would give the page a way to the raw channel.
    on: (listener) => ipcRenderer.on(BRIDGE_CHANNEL, (_event, message) => listener(message)),
    timeout: -1,
  },
);

contextBridge.exposeInMainWorld('waxwing', bridge);
