/**
 * The built main process, run by Node on the double of `electron`, in place of Electron's own start. Another process
 * drives it, and shows its page: test/e2e/support/electron.
 *
 * It ends by itself when the app has quit; a remaining thread would prevent this.
 */
import { registerHooks } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBirpc } from 'birpc';
import { ElectronDouble } from './index.ts';
import { FrameDouble } from './web-contents.ts';

/** Options in the environment variable of this name, as JSON. */
export const SETUP = 'WAXWING_DOUBLE';

export interface Setup {
  /** URL of electron-vite's output of src/main/index.ts. */
  main: string;
  userData: string;
  /** Key of the desktop's key store, 32 bytes in Base64. */
  keyStoreKey: string;
  isPackaged?: boolean;
}

/** Visible objects of the desktop, and the calls to a browser. */
export interface DesktopState {
  window: { isVisible: boolean; isFocused: boolean } | null;
  /** Tooltip of the tray icon, and the name of its image. */
  toolTip: string;
  trayImage: string;
  badge: number;
  /** Visible ones. */
  notifications: { title: string; body: string }[];
  /** Their total number. */
  notified: number;
  /** URLs opened in the system's browser or mail program. */
  opened: string[];
  clipboard: string;
  /** Channels on which the main process listens to its page, and those on which a page sent without a listener. */
  channels: string[];
  unheard: string[];
  errors: { title: string; content: string }[];
}

export interface AppAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** A frame that sent a message: the window's own, or another, as the main process sees it. */
export type Sender = 'top' | { url: string; origin: string };

/** Calls to the other process. */
export interface Browser {
  /** Shows a page, with a preload script; resolves when it has loaded. */
  load(url: string, preload: string): Promise<void>;
  /** A message of the main process to the page. */
  message(channel: string, message: unknown): void;
  /** Visibility and focus of the window. */
  attention(isVisible: boolean, isFocused: boolean): void;
}

/** Calls to this process. */
export interface Desktop {
  becomeReady(): void;
  /** A page asks for a URL of the app's scheme. */
  request(url: string, method: string): Promise<AppAnswer>;
  /** The window has loaded another document, whose scripts are about to run. */
  commit(url: string): void;
  /** A message of a page's preload script. */
  message(sender: Sender, channel: string, message: unknown): void;
  /** A page tries to open a window. Returns whether it may. */
  opens(url: string): boolean;
  /** A page, or a frame in it, tries to navigate elsewhere. Returns whether it may. */
  navigates(url: string, isMainFrame: boolean): boolean;
  state(): DesktopState;
  pickFromTray(label: string): void;
  clickNotification(body: string): void;
  closeWindow(): void;
  leaveWindow(): void;
  startAgain(args: string[]): void;
}

const setup: Setup = JSON.parse(process.env[SETUP] ?? '');
const entryRun = Promise.withResolvers<void>();
/** The folder with package.json; of a package, its archive in the folder of resources. */
const appPath = fileURLToPath(new URL('../..', setup.main));
if (setup.isPackaged) Object.assign(process, { resourcesPath: dirname(appPath) });
const browser = createBirpc<Browser, Desktop>(
  {
    // As in Electron: not before the entry, an ES module, and all that it imports and awaits has run.
    becomeReady: () => entryRun.promise.then(() => electron.app.becomeReady()),
    async request(url, method) {
      const response = await electron.protocol.request(url, { method });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: new Uint8Array(await response.arrayBuffer()),
      };
    },
    commit: (url) => electron.window.contents.commit(url, electron.protocol.originOf(url)),
    message(sender, channel, message) {
      const { contents } = electron.window;
      const frame = sender === 'top' ? contents.frame : new FrameDouble(sender.origin, sender.url);
      electron.ipcMain.deliver(channel, contents, frame, message);
    },
    opens: (url) => electron.window.contents.open(url) === 'allow',
    navigates(url, isMainFrame) {
      const { contents } = electron.window;
      // As in Electron: both are informed of the main frame, one of another.
      const events = ['will-frame-navigate', ...(isMainFrame ? ['will-navigate' as const] : [])] as const;
      return events.map((event) => contents.navigate(event, url)).every(Boolean);
    },
    state,
    pickFromTray: (label) => electron.tray.menu?.click(label),
    clickNotification(body) {
      const found = electron.notifications.find((each) => each.isShown && each.body === body);
      if (!found) throw new Error(`no notification says ${body}`);
      found.click();
    },
    closeWindow: () => electron.window.close(),
    leaveWindow: () => electron.window.blur(),
    startAgain: (args) => electron.app.startAgain(args),
  },
  {
    post: (message) => process.send?.(message),
    on: (listener) => process.on('message', listener),
    timeout: -1,
  },
);

const electron = new ElectronDouble({
  userData: setup.userData,
  keyStoreKey: Buffer.from(setup.keyStoreKey, 'base64'),
  platform: process.platform,
  isPackaged: setup.isPackaged ?? false,
  appPath,
  pages: {
    async load(url) {
      const { window } = electron;
      for (const event of ['show', 'hide', 'focus', 'blur']) {
        window.on(event, () => void browser.attention(window.isVisible(), window.isFocused()));
      }
      await browser.load(url, window.options.webPreferences?.preload ?? '');
    },
    receive: (channel, message) => void browser.message(channel, message),
  },
});

function state(): DesktopState {
  const { app, clipboard, dialog, ipcMain, notifications, shell, tray, windows } = electron;
  const [window] = windows;
  const isOpen = window !== undefined && !window.isGone;
  return {
    window: isOpen ? { isVisible: window.isVisible(), isFocused: window.isFocused() } : null,
    toolTip: tray.toolTip,
    trayImage: basename(tray.image.path),
    // Windows has no number, but an image on the window's button.
    badge: app.platform === 'win32' ? Number(window?.overlay !== null) : app.badge,
    notifications: notifications.filter((each) => each.isShown).map(({ title, body }) => ({ title, body })),
    notified: notifications.length,
    opened: shell.opened,
    clipboard: clipboard.text,
    channels: ipcMain.eventNames().map(String),
    unheard: ipcMain.unheard,
    errors: dialog.errors,
  };
}

/** `import … from 'electron'`, of the app's code and of its libraries, gives the parts of the double. */
Object.assign(globalThis, { [SETUP]: electron.parts });
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: 'electron:double', format: 'module', shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    if (url !== 'electron:double') return next(url, context);
    const names = Object.keys(electron.parts).join(', ');
    const source = `const parts = globalThis.${SETUP};
export default parts;
export { parts as 'module.exports' };
export const { ${names} } = parts;`;
    return { format: 'module', source, shortCircuit: true };
  },
});

void electron.app.exited.then((code) => {
  process.exitCode = code;
  process.disconnect();
});
await import(setup.main);
entryRun.resolve();
