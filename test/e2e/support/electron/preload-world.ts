/**
 * A preload script in Chromium, as Electron's sandbox runs one: before the page's own scripts, in its own world of
 * the top frame, with `require('electron')` and nothing else of Node.
 */
import { randomUUID } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';
import type { Sender } from '../../../support/electron/process.ts';
import { createEndpoint, type Endpoint } from './context-bridge.ts';
import { createWire, type Wire } from './wire.ts';

const WORLD = 'preload';
/** Globals added by the debugging protocol, which no page has. */
const SEND = 'sendToMain';

export type OnMessage = (sender: Sender, channel: string, message: unknown) => void;

export class PreloadWorld {
  readonly #cdp: CDPSession;
  readonly #wire = createWire();
  /** Worlds of preload scripts by their contexts; the newest of the top frame is the page's. */
  readonly #frames = new Map<number, string>();
  #current: number | null = null;
  #mainFrame = '';

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  /**
   * Adds a preload script to every document that a page will load.
   * @param source of the script, CommonJS
   * @param onMessage called for each message of `ipcRenderer.send`
   */
  static async install(page: Page, source: string, onMessage: OnMessage): Promise<PreloadWorld> {
    const cdp = await page.context().newCDPSession(page);
    const world = new PreloadWorld(cdp);
    await world.#start(source, onMessage);
    return world;
  }

  /**
   * A message of the main process for the page. It is lost if the page does not exist yet, as in Electron.
   */
  async deliver(channel: string, message: unknown): Promise<void> {
    const contextId = this.#current;
    if (contextId === null) return;
    const text = JSON.stringify([channel, this.#wire.encode(message)]);
    // The page may be closed before this arrives.
    await this.#cdp
      .send('Runtime.evaluate', { contextId, expression: `receiveFromMain(...${text})` })
      .catch(() => undefined);
  }

  /** Sends a message from a frame inside the page, as hostile code in its process could. */
  async sendFromFrame(url: string, channel: string, message: unknown): Promise<void> {
    const { frameTree } = await this.#cdp.send('Page.getFrameTree');
    const inner = frameTree.childFrames?.find(({ frame }) => frame.url === url);
    if (!inner) throw new Error(`there is no frame with ${url}`);
    const { executionContextId } = await this.#cdp.send('Page.createIsolatedWorld', {
      frameId: inner.frame.id,
      worldName: WORLD,
    });
    await this.#send(executionContextId, channel, message);
  }

  /** Sends a message from the preload script's own world, past the script. */
  async sendFromTop(channel: string, message: unknown): Promise<void> {
    if (this.#current === null) throw new Error('there is no page');
    await this.#send(this.#current, channel, message);
  }

  async #send(contextId: number, channel: string, message: unknown): Promise<void> {
    const payload = JSON.stringify([channel, this.#wire.encode(message)]);
    const expression = `${SEND}(${JSON.stringify(payload)})`;
    const { exceptionDetails } = await this.#cdp.send('Runtime.evaluate', { contextId, expression });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
  }

  async #start(source: string, onMessage: OnMessage): Promise<void> {
    const cdp = this.#cdp;
    await cdp.send('Page.enable');
    const { frameTree } = await cdp.send('Page.getFrameTree');
    this.#mainFrame = frameTree.frame.id;
    cdp.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name !== WORLD) return;
      this.#frames.set(context.id, String(context.auxData?.frameId));
      if (context.auxData?.frameId === this.#mainFrame) this.#current = context.id;
    });
    cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      this.#frames.delete(executionContextId);
      if (this.#current === executionContextId) this.#current = null;
    });
    cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      const frame = this.#frames.get(executionContextId);
      if (name !== SEND || frame === undefined) return;
      const [channel, text] = JSON.parse(payload);
      onMessage(frame === this.#mainFrame ? 'top' : INNER, channel, this.#wire.decode(text));
    });
    await cdp.send('Runtime.enable');
    await cdp.send('Runtime.addBinding', { name: SEND, executionContextName: WORLD });
    // The page's side of the bridge has to listen first.
    const names = { page: randomUUID(), preload: randomUUID() };
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      source: inTopFrame(
        `(${createEndpoint})(${JSON.stringify(names.page)}, ${JSON.stringify(names.preload)});`,
      ),
    });
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: WORLD,
      source: inTopFrame(`
        const endpoint = (${createEndpoint})(${JSON.stringify(names.preload)}, ${JSON.stringify(names.page)});
        const module = { exports: {} };
        const require = (${sandboxRequire})(endpoint, (${createWire})(), ${SEND});
        ((require, module, exports) => { ${source}\n })(require, module, module.exports);`),
    });
  }
}

/** The sender in a frame inside the page: about:blank, with the origin of the page that created it. */
const INNER: Sender = { url: 'about:blank', origin: 'app://waxwing' };

/** Electron runs preload scripts in frames of a page only if the window's options request it. */
function inTopFrame(code: string): string {
  return `if (window.parent === window) {(() => {${code}})();}`;
}

type Listener = (event: object, ...args: unknown[]) => void;

/** `require` of a preload script in the sandbox. Runs in a page: it uses only its arguments. */
function sandboxRequire(
  endpoint: Endpoint,
  wire: Wire,
  send: (payload: string) => void,
): (name: string) => unknown {
  const listeners = new Map<string, Listener[]>();
  const electron = {
    contextBridge: endpoint,
    ipcRenderer: {
      send(channel: string, message: unknown) {
        send(JSON.stringify([channel, wire.encode(message)]));
      },
      on(channel: string, listener: Listener) {
        listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
        return electron.ipcRenderer;
      },
    },
  };
  Object.assign(globalThis, {
    receiveFromMain(channel: string, text: string) {
      for (const listener of listeners.get(channel) ?? []) listener({}, wire.decode(text));
    },
  });
  return (name) => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
}
