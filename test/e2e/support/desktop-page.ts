/**
 * The interface as the desktop app shows it, in a browser: the calls that a desktop answers, over the browser host's
 * socket. Electron itself is for test/electron.
 */
import { fileURLToPath } from 'node:url';
import { defaultSettings, type Settings } from '../../../src/bridge/shapes.ts';
import { type BrowserHost, startBrowserHost } from '../../../src/browser-host/index.ts';
import { withPageScript } from '../../../src/browser-host/page-script.ts';
import { createCalls } from '../../../src/host/calls.ts';
import { readInterfaceFiles } from '../../../src/host/interface-files.ts';
import type { Session } from '../../../src/host/session.ts';
import { AppClipboard } from '../../../src/main/clipboard.ts';
import { ElectronDouble } from '../../support/electron/index.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { MemoryKeyStore, testSession } from '../../support/session.ts';

const INTERFACE = fileURLToPath(new URL('../../../out/renderer', import.meta.url));

export class DesktopPage {
  readonly electron = new ElectronDouble();
  readonly #folder = temporaryFolder();
  readonly #store = new MemoryKeyStore();
  readonly #session: Session = testSession(this.#folder.path, {
    findStore: async () => this.#store,
    mayBePlain: false,
    relay: null,
  });
  #host: BrowserHost | null = null;

  /** Starts, and returns a link for a page. */
  async start(): Promise<string> {
    await this.#session.start();
    const settings: { store: Settings } = { store: defaultSettings };
    const clipboard = new AppClipboard(this.electron.parts.clipboard);
    const calls = createCalls({
      session: this.#session,
      settings,
      copy: (text, isSecret) => clipboard.copy(text, isSecret),
      info: { kind: 'electron', version: '0', platform: 'linux' },
    });
    const files = withPageScript(readInterfaceFiles(INTERFACE), INTERFACE);
    this.#host = await startBrowserHost({ calls, session: this.#session, files, port: 0 });
    return this.#host.newLink();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host?.close();
    await this.#session.close();
    this.#folder[Symbol.dispose]();
  }
}
