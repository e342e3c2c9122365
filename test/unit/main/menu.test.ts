import { expect, test } from 'vitest';
import { followRightClicks, type MenuActions, setAppMenu } from '../../../src/main/menu.ts';
import { type DoubleOptions, ElectronDouble } from '../../support/electron/index.ts';

function ready(options: DoubleOptions = {}) {
  const electron = new ElectronDouble(options);
  electron.app.becomeReady();
  return electron;
}

const NO_ACTIONS: MenuActions = { copyDiagnostics: () => undefined, openLogs: () => undefined };

function rolesOf(options: DoubleOptions): string[] {
  const electron = ready(options);
  setAppMenu(electron.parts, options.platform ?? 'linux', NO_ACTIONS);
  return electron.applicationMenu?.roles ?? [];
}

const FOR_DEVELOPERS = ['reload', 'forceReload', 'toggleDevTools', 'viewMenu'];

test.each(['linux', 'win32', 'darwin'] as const)(
  'the app’s menu on %s can enlarge text, and has no developer items',
  (platform) => {
    const roles = rolesOf({ platform });
    expect(roles).toEqual(expect.arrayContaining(['editMenu', 'resetZoom', 'zoomIn', 'zoomOut']));
    expect(roles.filter((role) => FOR_DEVELOPERS.includes(role))).toEqual([]);
    expect(roles.includes('appMenu')).toBe(platform === 'darwin');
  },
);

test('Ctrl+= and the keypad enlarge text', () => {
  const electron = ready();
  setAppMenu(electron.parts, 'linux', NO_ACTIONS);
  const keysOf = (role: string) => electron.applicationMenu?.keysOf(role);
  expect(keysOf('zoomIn')).toEqual(['CommandOrControl+=', 'CommandOrControl+numadd']);
  expect(keysOf('zoomOut')).toEqual(['CommandOrControl+numsub']);
  expect(keysOf('resetZoom')).toEqual(['CommandOrControl+num0']);
});

test('a checkout has reload and developer tools', () => {
  expect(rolesOf({ isPackaged: false })).toEqual(expect.arrayContaining(['reload', 'toggleDevTools']));
});

test.each(['linux', 'win32', 'darwin'] as const)(
  'on %s the Help menu copies diagnostics and opens the log folder',
  (platform) => {
    const electron = ready({ platform });
    const done: string[] = [];
    setAppMenu(electron.parts, platform, {
      copyDiagnostics: () => done.push('copied'),
      openLogs: () => done.push('opened'),
    });
    const menu = electron.applicationMenu;
    expect(menu?.template.at(-1)).toMatchObject({ role: 'help', label: 'Help' });
    menu?.click('Copy diagnostics');
    menu?.click('Open log folder');
    expect(done).toEqual(['copied', 'opened']);
  },
);

test('a right click on an unknown word shows suggestions, and can add it to the dictionary', () => {
  const electron = ready();
  const window = new electron.parts.BrowserWindow({ show: false });
  followRightClicks(electron.parts, window);
  const click = (dictionarySuggestions: string[]) => {
    const word = { misspelledWord: 'wrod', dictionarySuggestions };
    const params = { editFlags: flags, selectionText: '', isEditable: true, ...word };
    electron.window.contents.emit('context-menu', {}, params);
    const menu = electron.menus.at(-1);
    if (!menu) throw new Error('no menu opened');
    return menu;
  };
  const menu = click(['word', 'rod', 'wood', 'wrote', 'ward', 'sword']);
  expect(menu.labels.slice(0, 7)).toEqual([
    'word',
    'rod',
    'wood',
    'wrote',
    'ward',
    'separator',
    'Add to dictionary',
  ]);
  menu.click('rod');
  expect(electron.window.contents.replaced).toEqual(['rod']);
  menu.click('Add to dictionary');
  expect(electron.session.ownWords).toEqual(['wrod']);
  expect(click([]).template[0]).toMatchObject({ label: 'No suggestions', enabled: false });
});

const flags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };

/** Items of the context menu; null if no menu opens. */
function menuFor(params: object): (string | undefined)[] | null {
  const electron = ready();
  const window = new electron.parts.BrowserWindow({ show: false });
  followRightClicks(electron.parts, window);
  electron.window.contents.emit('context-menu', {}, { editFlags: flags, selectionText: '', ...params });
  const [menu] = electron.menus.filter(({ isOpen }) => isOpen);
  return menu?.template.map(({ role, enabled }) => (enabled === false ? undefined : role)) ?? null;
}

test('a right click offers copying of a selection, and editing in a field', () => {
  expect(menuFor({ isEditable: false, selectionText: ' ' })).toBeNull();
  expect(menuFor({ isEditable: false, selectionText: 'a word' })).toEqual(['copy']);
  expect(menuFor({ isEditable: true })).toEqual([
    'cut',
    'copy',
    'paste',
    'pasteAndMatchStyle',
    undefined,
    'selectAll',
  ]);
  const nothing = { ...flags, canCut: false, canCopy: false };
  const [cut, copy, paste] = menuFor({ isEditable: true, editFlags: nothing }) ?? [];
  expect([cut, copy, paste]).toEqual([undefined, undefined, 'paste']);
});
