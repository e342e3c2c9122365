/**
 * The only place that makes windows, and what a page in one may not do.
 */
import type { BrowserWindow, BrowserWindowConstructorOptions, Session, WebContents } from 'electron';
import { mayLeadOutside } from '../bridge/outside-address.ts';
import { APP_ORIGIN, APP_PAGE } from './app-scheme.ts';
import type { ElectronParts } from './electron.ts';
import { reviveAfterCrash } from './revive.ts';
import { SMALLEST } from './window-place.ts';

/** As `--color-canvas` in src/renderer/design/tokens.css: what stands in the window before the page does. */
const BACKGROUNDS = { light: '#f5f2ee', dark: '#141210' };

export interface WindowLook {
  preload: string;
  isPackaged: boolean;
  isDark: boolean;
  /** Path of the window's icon; null where the system takes it from the package. */
  icon: string | null;
  /** Its size and, if it is known, where it is. */
  place: Pick<BrowserWindowConstructorOptions, 'x' | 'y' | 'width' | 'height'>;
}

/** Everything that Electron's security checklist asks for, said although some of it is the default. */
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
      // The session says whether there is one (./spelling.ts).
      spellcheck: true,
      devTools: !isPackaged,
    },
  };
}

/**
 * Makes the window and opens the interface in it.
 * @param look the preload script, the window's icon, its size and place
 * @param onMade called before the interface is loaded, whose first messages come while it is
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

/** Keeps a page where it is: links open in the browser, and only those that a browser should open. */
function confine(contents: WebContents, { shell }: ElectronParts): void {
  const stay = (event: { preventDefault(): void; url: string }) => {
    if (event.url !== APP_PAGE) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // A system without a program for the link says so itself, or nothing happens.
    if (mayOpenOutside(url)) shell.openExternal(new URL(url).href).catch(() => undefined);
    return { action: 'deny' };
  });
}

/** Whether a link may be handed to the system's browser or mail program. */
export function mayOpenOutside(text: string): boolean {
  // A parser drops tabs and newlines, so that a link would open another address than the one that was read.
  if (/\p{Cc}/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && mayLeadOutside(url);
}

/** Refuses everything that a page can ask a browser for, downloads too, but for the camera, with which it scans a QR code. */
export function limitPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    // Of `media`, the details say which devices; Electron's type of them has more than one shape.
    const types = 'mediaTypes' in details ? details.mediaTypes : undefined;
    const isCamera = permission === 'media' && types?.join() === 'video';
    answer(isCamera && details.isMainFrame && originOf(details.requestingUrl) === APP_ORIGIN);
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin, details) =>
      permission === 'media' &&
      details.mediaType === 'video' &&
      details.isMainFrame &&
      originOf(origin) === APP_ORIGIN,
  );
  session.setDevicePermissionHandler(() => false);
  // Null refuses. An object without a video makes Electron throw, in the main process.
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.on('will-download', (event) => event.preventDefault());
}

/** `app:` is a standard scheme here, though not to the URL parser of Node, whose origin for it is 'null'. */
function originOf(text: string): string | null {
  const url = URL.parse(text);
  return url && `${url.protocol}//${url.host}`;
}
