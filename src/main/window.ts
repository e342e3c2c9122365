/** The only place that creates windows, and the restrictions of their pages. */
import type { BrowserWindow, BrowserWindowConstructorOptions, Session, WebContents } from 'electron';
import { mayLeadOutside } from '../base/outside-address.ts';
import { APP_ORIGIN, APP_PAGE } from './app-scheme.ts';
import type { ElectronParts } from './electron.ts';
import { reviveAfterCrash } from './revive.ts';
import { SMALLEST } from './window-place.ts';

/**
 * Same as `--color-canvas` in src/renderer/design/tokens.css: the window's background before the page paints.
 */
const BACKGROUNDS = { light: '#f5f2ee', dark: '#141210' };

export interface WindowLook {
  preload: string;
  isPackaged: boolean;
  isDark: boolean;
  /** Path of the window's icon; null if the system reads it from the package. */
  icon: string | null;
  /** Its size and, if known, its place. */
  place: Pick<BrowserWindowConstructorOptions, 'x' | 'y' | 'width' | 'height'>;
}

/** All settings of Electron's security checklist, including defaults. */
export function windowOptions({
  preload,
  isPackaged,
  isDark,
  icon,
  place,
}: WindowLook): BrowserWindowConstructorOptions {
  return {
    ...(icon !== null && { icon }),
    ...place,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    title: 'Waxwing',
    backgroundColor: BACKGROUNDS[isDark ? 'dark' : 'light'],
    // The menu of the whole app shows with Alt; macOS has it in its own bar.
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // The session decides on it (./spelling.ts).
      spellcheck: true,
      devTools: !isPackaged,
    },
  };
}

/**
 * Creates the window and opens the interface in it.
 * @param look the preload script, the window's icon, its size and place
 * @param onMade called before the interface is loaded, because its first messages arrive during loading
 */
export async function createWindow(
  electron: ElectronParts,
  look: Pick<WindowLook, 'preload' | 'icon' | 'place'>,
  onMade: (window: BrowserWindow) => void = () => undefined,
): Promise<BrowserWindow> {
  const { isPackaged } = electron.app;
  const isDark = electron.nativeTheme.shouldUseDarkColors;
  const window = new electron.BrowserWindow(windowOptions({ ...look, isPackaged, isDark }));
  confine(window.webContents, electron);
  reviveAfterCrash(window.webContents, electron);
  onMade(window);
  await window.loadURL(APP_PAGE);
  return window;
}

/** Confines a page: links open in the browser, and only suitable ones. */
function confine(contents: WebContents, { shell }: ElectronParts): void {
  const stay = (event: { preventDefault(): void; url: string }) => {
    if (event.url !== APP_PAGE) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // A system without a program for the link reports it, or nothing happens.
    if (mayOpenOutside(url)) shell.openExternal(new URL(url).href).catch(() => undefined);
    return { action: 'deny' };
  });
}

/** Reports whether a link may be opened in the system's browser or mail program. */
export function mayOpenOutside(text: string): boolean {
  // A parser drops tabs and newlines, so that a link would open a different address than the visible one.
  if (/\p{Cc}/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && mayLeadOutside(url);
}

/** Copying, without reading what others copied. Chromium asks for it at `navigator.clipboard.write`. */
const COPYING = 'clipboard-sanitized-write';

/** The camera, which scans QR codes, and the microphone, which records voice messages. Nothing uses both at once. */
const DEVICES: ReadonlySet<string | undefined> = new Set(['video', 'audio']);

/**
 * Refuses all permissions of a page except for the camera, the microphone and copying a picture; and all downloads except
 * for files that the page has made itself, such as an exported chat: Electron asks for their place.
 */
export function limitPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    // For `media`, the details contain the devices; Electron's type has more than one shape.
    const types = 'mediaTypes' in details ? details.mediaTypes : undefined;
    const isOneDevice = permission === 'media' && types?.length === 1 && DEVICES.has(types[0]);
    const isNeeded = isOneDevice || permission === COPYING;
    answer(isNeeded && details.isMainFrame && originOf(details.requestingUrl) === APP_ORIGIN);
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin, details) =>
      (permission === COPYING || (permission === 'media' && DEVICES.has(details.mediaType))) &&
      details.isMainFrame &&
      originOf(origin) === APP_ORIGIN,
  );
  session.setDevicePermissionHandler(() => false);
  // Null refuses. An object without a video makes Electron throw, in the main process.
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${APP_ORIGIN}/`)) event.preventDefault();
  });
}

/** `app:` is a standard scheme here, though not for Node's URL parser, whose origin for it is 'null'. */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  return url && `${url.protocol}//${url.host}`;
}
