/**
 * Messages between pages and the main process, and the bridge that a preload builds for its page.
 */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { asElectron } from './strict.ts';
import type { FrameDouble, WebContentsDouble } from './web-contents.ts';

/** Channel names are the app's own, so any event is allowed. */
export class IpcMainDouble extends EventEmitter {
  /** Channels of messages without a listener: the real one loses them without an error. */
  readonly unheard: string[] = [];
  readonly #platform: NodeJS.Platform;

  constructor(platform: NodeJS.Platform) {
    super();
    this.#platform = platform;
  }

  /** Drives: a message arrives, copied as in Electron. An error of a listener is thrown here. */
  deliver(
    channel: string,
    { webContents }: WebContentsDouble,
    frame: FrameDouble | null,
    message: unknown,
  ): void {
    const event = { sender: webContents, senderFrame: frame?.webFrameMain ?? null };
    const view = asElectron<Electron.IpcMainEvent>(event, 'IpcMainEvent', this.#platform);
    const isHeard = this.emit(channel, view, structuredClone(message));
    if (!isHeard) this.unheard.push(channel);
  }
}

/** The module `electron` of a preload script in the sandbox. */
export interface RendererParts {
  contextBridge: Pick<Electron.ContextBridge, 'exposeInMainWorld'>;
  ipcRenderer: { send(channel: string, message: unknown): void; on: EventEmitter['on'] };
}

/** The parts for the preload of one window, and its API for the page. */
export function rendererParts(ipcMain: IpcMainDouble, contents: WebContentsDouble) {
  const exposed: Record<string, unknown> = {};
  const parts: RendererParts = {
    contextBridge: {
      exposeInMainWorld(name, api: unknown) {
        if (Object.hasOwn(exposed, name)) {
          throw new Error('Cannot bind an API on top of an existing property on the window object');
        }
        exposed[name] = deepFreeze(acrossBridge(api));
      },
    },
    ipcRenderer: {
      send(channel, message) {
        const copy = structuredClone(message);
        setImmediate(() => ipcMain.deliver(channel, contents, contents.frame, copy));
      },
      on: contents.page.on.bind(contents.page),
    },
  };
  return { parts, exposed };
}

/**
 * Values on the other side of the context bridge: copies; functions and promises as proxies; of an error, its
 * message alone; of everything else the result of structured clone.
 */
function acrossBridge(value: unknown): unknown {
  if (typeof value === 'function') {
    return (...args: unknown[]) => {
      const passed = args.map(acrossBridge);
      try {
        return acrossBridge(Reflect.apply(value, undefined, passed));
      } catch (error) {
        throw acrossBridge(error);
      }
    };
  }
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Promise)
    return value.then(acrossBridge, (error) => Promise.reject(acrossBridge(error)));
  if (value instanceof Error) return new Error(value.message);
  if (Array.isArray(value)) return value.map(acrossBridge);
  if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
  const entries = Object.entries(value).map(([name, each]) => [name, acrossBridge(each)]);
  return Object.fromEntries(entries);
}

/** Freezes an exposed value with its members, but not the results of its functions. */
function deepFreeze(value: unknown): unknown {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
