/**
 * The interface as the desktop app shows it, in a browser: the calls that a desktop answers, over the browser host's
 * socket. Electron itself is for test/electron.
 */
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../../src/bridge/settings.ts';
import { defaultSettings } from '../../../src/bridge/settings.ts';
import type { OpenedLink } from '../../../src/bridge/shapes/app.ts';
import { Person } from '../../../src/bridge/shapes/person.ts';
import { type BrowserHost, startBrowserHost } from '../../../src/browser-host/index.ts';
import { withPageScript } from '../../../src/browser-host/page-script.ts';
import { type Calls, createCalls } from '../../../src/host/calls.ts';
import { readInterfaceFiles } from '../../../src/host/interface-files.ts';
import type { Session } from '../../../src/host/session.ts';
import { AppClipboard } from '../../../src/main/clipboard.ts';
import { openFolder } from '../../../src/main/help.ts';
import type { Updates } from '../../../src/main/updates/updates.ts';
import { wordsIn } from '../../../src/words/catalogues.ts';
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
  readonly settings: { store: Settings } = { store: defaultSettings };
  readonly #updates: Updates | undefined;
  readonly #platform: NodeJS.Platform;
  #host: BrowserHost | null = null;
  #calls: Calls | null = null;
  #link: OpenedLink | null = null;

  /**
   * @param updates of the app itself; without them it is a copy that does not update itself
   * @param platform the platform that the app reports
   */
  constructor(updates?: Updates, platform: NodeJS.Platform = 'linux') {
    this.#updates = updates;
    this.#platform = platform;
  }

  /** Starts, and returns a link for a page. */
  async start(): Promise<string> {
    await this.#session.start();
    const clipboard = new AppClipboard(this.electron.parts.clipboard);
    const calls = createCalls({
      session: this.#session,
      settings: this.settings,
      receiveLink: () => {
        const link = this.#link;
        this.#link = null;
        return link;
      },
      copy: (text, isSecret) => clipboard.copy(text, isSecret),
      openFolder: (path) => openFolder(this.electron.parts, path),
      ...(this.#updates && { updates: this.#updates }),
      info: { kind: 'electron', version: '0', platform: this.#platform },
    });
    this.#updates?.onChange((state) => calls.emit('updates.changed', state));
    this.#calls = calls;
    const files = withPageScript(readInterfaceFiles(INTERFACE, 'en'), INTERFACE);
    this.#host = await startBrowserHost({
      calls,
      session: this.#session,
      files,
      words: wordsIn('en'),
      port: 0,
    });
    return this.#host.newLink();
  }

  /** The person with a handle, as the app finds them. */
  async findPerson(query: string): Promise<Person> {
    const answer = await this.#calls?.call('people.resolve', { query });
    if (!answer?.ok) throw new Error(`nobody is called ${query}`);
    return Person.parse(answer.value);
  }

  /** As when the system passes a link to the app. */
  openLink(link: OpenedLink): void {
    this.#link = link;
    this.#calls?.emit('link.waiting', {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host?.close();
    await this.#session.close();
    this.#folder[Symbol.dispose]();
  }
}
