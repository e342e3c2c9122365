/**
 * The layer between the app and its pages: custom schemes, permissions and links.
 */
import type * as Electron from 'electron';
import { type AppDouble, PreventableEvent } from './app.ts';
import { refuseUnknown } from './declarations.ts';
import { DeclaredEmitter } from './strict.ts';

type Handler = (request: Request) => Response | Promise<Response>;

export class ProtocolDouble implements Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'> {
  schemes: Electron.CustomScheme[] | null = null;
  readonly #app: AppDouble;
  readonly #handlers = new Map<string, Handler>();

  constructor(app: AppDouble) {
    this.#app = app;
  }

  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]): void {
    this.#app.requireNotReady('protocol.registerSchemesAsPrivileged should be called before app is ready');
    if (this.schemes) throw new Error('protocol.registerSchemesAsPrivileged may be called only once');
    if (!Array.isArray(schemes)) throw new Error('Argument must be an array of custom schemes.');
    for (const scheme of schemes) {
      refuseUnknown(scheme, 'CustomScheme');
      refuseUnknown(scheme.privileges ?? {}, 'Privileges');
      const { codeCache, standard } = scheme.privileges ?? {};
      if (codeCache && !standard)
        throw new Error(
          'Code cache can only be enabled when the custom scheme is registered as standard scheme.',
        );
    }
    this.schemes = schemes;
  }

  handle(scheme: string, handler: Handler): void {
    // It belongs to the default session, which does not exist before the app is ready.
    this.#app.requireReady('Session can only be received when app is ready');
    if (this.#handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.#handlers.set(scheme, handler);
  }

  /** Drives: a page asks for a URL of a custom scheme. */
  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1));
    if (!handler) throw new Error(`ERR_UNKNOWN_URL_SCHEME loading ${url}`);
    const response = await handler(new Request(url, init));
    if (!(response instanceof Response)) throw new Error(`ERR_UNEXPECTED loading ${url}`);
    if (response.type === 'error') throw new Error(`ERR_FAILED loading ${url}`);
    return response;
  }

  /** The origin of a page: a scheme that is not standard has none. */
  originOf(text: string): string {
    const url = new URL(text);
    const known = this.schemes?.find(({ scheme }) => `${scheme}:` === url.protocol);
    return known?.privileges?.standard ? `${url.protocol}//${url.host}` : url.origin;
  }
}

type PermissionRequest = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type PermissionCheck = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type DevicePermission = Parameters<Electron.Session['setDevicePermissionHandler']>[0];
type DisplayMedia = Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0];

export class SessionDouble
  extends DeclaredEmitter
  implements
    Pick<
      Electron.Session,
      | 'resolveProxy'
      | 'setProxy'
      | 'setPermissionRequestHandler'
      | 'setPermissionCheckHandler'
      | 'setDevicePermissionHandler'
      | 'setDisplayMediaRequestHandler'
      | 'setSpellCheckerDictionaryDownloadURL'
      | 'setSpellCheckerEnabled'
      | 'setSpellCheckerLanguages'
      | 'availableSpellCheckerLanguages'
      | 'addWordToSpellCheckerDictionary'
    >
{
  /** The server of dictionaries, or null for Google's; and whether dictionaries are requested. */
  dictionaries: { from: string | null; areWanted: boolean } = { from: null, areWanted: true };
  /** Languages for the spell checker. */
  spellCheckerLanguages: string[] = [];
  readonly availableSpellCheckerLanguages = ['de', 'en-US', 'en-GB', 'pt-BR', 'uk'];
  /** Words added to the dictionary. */
  readonly ownWords: string[] = [];
  permissionRequest: PermissionRequest = null;
  permissionCheck: PermissionCheck = null;
  devicePermission: DevicePermission = null;
  displayMedia: DisplayMedia = null;
  /** The system's proxy for every address, in the form of a proxy script. */
  proxy = 'DIRECT';
  #proxyConfig: Electron.ProxyConfig = { mode: 'system' };

  constructor(platform: NodeJS.Platform) {
    super('Session', platform);
  }

  async resolveProxy(url: string): Promise<string> {
    if (!URL.canParse(url)) throw new Error('Invalid URL');
    const { mode, proxyRules = '' } = this.#proxyConfig;
    if (mode === 'system') return this.proxy;
    return mode === 'direct' ? 'DIRECT' : `PROXY ${new URL(proxyRules).host}`;
  }

  async setProxy(config: Electron.ProxyConfig): Promise<void> {
    refuseUnknown(config, 'ProxyConfig');
    this.#proxyConfig = config;
  }

  setPermissionRequestHandler(handler: PermissionRequest): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: PermissionCheck): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: DevicePermission): void {
    this.devicePermission = handler;
  }
  setDisplayMediaRequestHandler(handler: DisplayMedia): void {
    this.displayMedia = handler;
  }

  setSpellCheckerDictionaryDownloadURL(url: string): void {
    if (!URL.canParse(url)) throw new Error('The URL you provided is not a valid URL');
    this.dictionaries.from = url;
  }
  setSpellCheckerEnabled(areWanted: boolean): void {
    this.dictionaries.areWanted = areWanted;
  }
  setSpellCheckerLanguages(languages: string[]): void {
    for (const language of languages) {
      if (!this.availableSpellCheckerLanguages.includes(language))
        throw new Error(`Invalid language code provided: "${language}" is not a valid language code`);
    }
    this.spellCheckerLanguages = languages;
  }
  addWordToSpellCheckerDictionary(word: string): boolean {
    this.ownWords.push(word);
    return true;
  }

  /** Drives: a page asks for the screen. Returns the granted source; null is none. */
  shareScreen(): Electron.Streams | null {
    const answers: (Electron.Streams | null)[] = [];
    this.displayMedia?.(
      { videoRequested: true } as Electron.DisplayMediaRequestHandlerHandlerRequest,
      (streams) => {
        if (streams !== null && !streams.video) {
          throw new TypeError('Video was requested, but no video stream was provided');
        }
        answers.push(streams);
      },
    );
    const [answer] = answers;
    if (answer === undefined || answers.length > 1) throw new Error('the page was not answered once');
    return answer;
  }

  /** Drives: a page offers a file. Returns whether it is downloaded. */
  download(url: string): boolean {
    const event = new PreventableEvent();
    this.emit('will-download', event, { getURL: () => url });
    return !event.defaultPrevented;
  }
}

export class ShellDouble implements Pick<Electron.Shell, 'openExternal' | 'openPath'> {
  readonly opened: string[] = [];
  /** True if the system has a program for an address. */
  hasProgram = true;

  async openExternal(url: string): Promise<void> {
    if (!URL.canParse(url)) throw new Error('Invalid URL');
    this.opened.push(url);
    if (!this.hasProgram) throw new Error('No application is registered for this link');
  }

  /** As Electron's: the error message is the answer, empty if there is none. */
  async openPath(path: string): Promise<string> {
    this.opened.push(path);
    return this.hasProgram ? '' : 'No application is registered for this folder';
  }
}

export class DialogDouble implements Pick<Electron.Dialog, 'showErrorBox' | 'showMessageBox'> {
  /** Boxes that ask or inform. */
  readonly messages: Electron.MessageBoxOptions[] = [];
  /** Boxes that report an error, blocking or not. */
  readonly errors: { title: string; content: string }[] = [];
  readonly #app: AppDouble;

  constructor(app: AppDouble) {
    this.#app = app;
  }

  showErrorBox(title: string, content: string): void {
    if (typeof title !== 'string' || typeof content !== 'string') throw new TypeError('a box takes texts');
    this.errors.push({ title, content });
  }

  /** The place of the button that the person presses next. */
  answer: number | Promise<number> = 0;

  /** With a window it would be bound to that window. */
  async showMessageBox(
    first: Electron.BaseWindow | Electron.MessageBoxOptions,
    second?: Electron.MessageBoxOptions,
  ): Promise<Electron.MessageBoxReturnValue> {
    const options = second ?? (first as Electron.MessageBoxOptions);
    this.#app.requireReady('dialog module can only be used after app is ready');
    refuseUnknown(options, 'MessageBoxOptions');
    if (options.type === 'error') this.showErrorBox(options.message, options.detail ?? '');
    else this.messages.push(options);
    return { response: await this.answer, checkboxChecked: false };
  }
}
