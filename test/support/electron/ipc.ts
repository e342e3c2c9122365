/**
 * Messages between pages and the main process, and the bridge that a preload builds for its page.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import type { FrameDouble, WebContentsDouble } from './window.ts';

export class IpcMainDouble extends EventEmitter {
  /** Drives: a message arrives, copied as the real one is. Whatever a listener throws is thrown here. */
  deliver(channel: string, sender: WebContentsDouble, frame: FrameDouble | null, message: unknown): void {
    this.emit(channel, { sender, senderFrame: frame }, structuredClone(message));
  }
}

/** What `electron` is to a preload script. */
export interface RendererParts {
  contextBridge: Pick<Electron.ContextBridge, 'exposeInMainWorld'>;
  ipcRenderer: { send(channel: string, message: unknown): void; on: EventEmitter['on'] };
}

/** The parts for the preload of one window, and what it exposes to the page. */
export function rendererParts(ipcMain: IpcMainDouble, contents: WebContentsDouble) {
  const exposed: Record<string, unknown> = {};
  const parts: RendererParts = {
    contextBridge: {
      exposeInMainWorld(name, api: unknown) {
        if (Object.hasOwn(exposed, name)) {
          throw new Error(`Cannot bind an API on top of an existing property: ${name}`);
        }
        exposed[name] = acrossBridge(api);
      },
    },
    ipcRenderer: {
      send(channel, message) {
        const copy = structuredClone(message);
        setImmediate(() => ipcMain.deliver(channel, contents, contents.mainFrame, copy));
      },
      on: contents.page.on.bind(contents.page),
    },
  };
  return { parts, exposed };
}

/** What arrives on the other side of the context bridge: copies, frozen; functions as proxies; no Electron objects. */
function acrossBridge(value: unknown): unknown {
  if (typeof value === 'function') {
    return (...args: unknown[]) => acrossBridge(Reflect.apply(value, undefined, args.map(acrossBridge)));
  }
  if (value instanceof Promise) return value.then(acrossBridge);
  if (Array.isArray(value)) return Object.freeze(value.map(acrossBridge));
  if (value === null || typeof value !== 'object') return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const entries = Object.entries(value).map(([name, each]) => [name, acrossBridge(each)]);
  return Object.freeze(Object.fromEntries(entries));
}
