/**
 * The preload script, in the sandbox: exposes the bridge to the page, and nothing else.
 */
import { createBirpc } from 'birpc';
import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge, EventName } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import { BRIDGE_CHANNEL, type InterfaceFunctions, type MainFunctions } from '../bridge/ipc.ts';

const listeners = new Map<EventName, Set<(payload: never) => void>>();

const main = createBirpc<MainFunctions, InterfaceFunctions>(
  {
    event(name, payload) {
      for (const listener of listeners.get(name) ?? []) listener(payload as never);
    },
  },
  {
    post: (message) => ipcRenderer.send(BRIDGE_CHANNEL, message),
    // Electron's event object stays here: it would give the page a way to the raw channel.
    on: (listener) => ipcRenderer.on(BRIDGE_CHANNEL, (_event, message) => listener(message)),
    timeout: -1,
  },
);

const bridge: Bridge = {
  call: (name, input) => main.call(name, input) as Promise<Answer<never>>,
  on(event, listener) {
    const known = listeners.get(event) ?? new Set();
    listeners.set(event, known);
    known.add(listener as (payload: never) => void);
    return () => known.delete(listener as (payload: never) => void);
  },
};

contextBridge.exposeInMainWorld('waxwing', bridge);
