/**
 * The app menu, and the context menu. Without the first, Electron shows its own with developer tools; without
 * the second, there is none.
 */
import type { BrowserWindow, ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import type { ElectronParts } from './electron.ts';
import { t } from './words.ts';

const MAX_PROPOSALS = 5;

/** A menu item has one key: Ctrl+Plus needs Shift on most keyboards, and the keypad has separate keys. */
const ZOOM_KEYS = [
  ['zoomIn', 'CommandOrControl+='],
  ['zoomIn', 'CommandOrControl+numadd'],
  ['zoomOut', 'CommandOrControl+numsub'],
  ['resetZoom', 'CommandOrControl+num0'],
] as const;

/** Actions of the menu beside the system's own. */
export interface MenuActions {
  copyDiagnostics: () => void;
  openLogs: () => void;
}

/** Sets the menu in the bar of macOS, and behind Alt on other systems. */
export function setAppMenu(
  { app, Menu }: ElectronParts,
  platform: NodeJS.Platform,
  { copyDiagnostics, openLogs }: MenuActions,
): void {
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  // A reload would lose the draft, and developer tools show all data of the page.
  const forDevelopers: MenuItemConstructorOptions[] = app.isPackaged
    ? []
    : [separator, { role: 'reload' }, { role: 'toggleDevTools' }];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
      { role: 'fileMenu' },
      { role: 'editMenu' },
      {
        label: t('desktop.viewMenu'),
        submenu: [
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          ...ZOOM_KEYS.map(([role, accelerator]) => ({
            role,
            accelerator,
            visible: false,
            acceleratorWorksWhenHidden: true,
          })),
          separator,
          { role: 'togglefullscreen' },
          ...forDevelopers,
        ],
      },
      { role: 'windowMenu' },
      {
        // macOS adds its search to a menu of this role.
        role: 'help',
        label: t('desktop.helpMenu'),
        submenu: [
          { label: t('desktop.copyDiagnostics'), click: copyDiagnostics },
          { label: t('desktop.openLogs'), click: openLogs },
        ],
      },
    ]),
  );
}

/** Opens a menu for copy and paste at a right click. */
export function followRightClicks({ Menu, session }: ElectronParts, window: BrowserWindow): void {
  const { webContents: contents } = window;
  contents.on('context-menu', (_event, params) => {
    const items = [
      ...spellingItems(params, {
        replace: (word) => contents.replaceMisspelling(word),
        learn: (word) => session.defaultSession.addWordToSpellCheckerDictionary(word),
      }),
      ...itemsFor(params),
    ];
    if (items.length > 0) Menu.buildFromTemplate(items).popup({ window });
  });
}

/** Suggestions of the spelling checker for an unknown word under the pointer. */
function spellingItems(
  { misspelledWord: word, dictionarySuggestions }: ContextMenuParams,
  { replace, learn }: { replace: (word: string) => void; learn: (word: string) => void },
): MenuItemConstructorOptions[] {
  if (!word) return [];
  const proposals = dictionarySuggestions.slice(0, MAX_PROPOSALS);
  return [
    ...proposals.map((label) => ({ label, click: () => replace(label) })),
    ...(proposals.length === 0 ? [{ label: t('desktop.noProposals'), enabled: false }] : []),
    { type: 'separator' },
    { label: t('desktop.learnWord'), click: () => learn(word) },
    { type: 'separator' },
  ];
}

function itemsFor({ editFlags, isEditable, selectionText }: ContextMenuParams): MenuItemConstructorOptions[] {
  const copy: MenuItemConstructorOptions = { role: 'copy', enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    { role: 'pasteAndMatchStyle', enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}
