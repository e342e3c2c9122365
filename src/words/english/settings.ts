/**
 * Texts of Settings: one file for each page in the folder `settings`. Texts of a dialog or form that is also used
 * elsewhere have their own file beside this one. `find…` has further search words for the title above it. No two files
 * have a text of the same name (test/unit/words/catalogue.test.ts).
 */
import { about } from './settings/about.ts';
import { account } from './settings/account.ts';
import { api } from './settings/api.ts';
import { appearance } from './settings/appearance.ts';
import { background } from './settings/background.ts';
import { chats } from './settings/chats.ts';
import { devices } from './settings/devices.ts';
import { help } from './settings/help.ts';
import { link } from './settings/link.ts';
import { notifications } from './settings/notifications.ts';
import { phrase } from './settings/phrase.ts';
import { privacy } from './settings/privacy.ts';
import { readers } from './settings/readers.ts';
import { search } from './settings/search.ts';
import { server } from './settings/server.ts';
import { storage } from './settings/storage.ts';

export const settings = {
  settings: 'Settings',
  close: 'Close settings',
  sections: 'Sections',
  chats: 'Chats',
  shortcuts: 'Shortcuts',
  findShortcuts: 'keys, keyboard, hotkeys',

  ...chats,
  ...search,
  ...account,
  ...appearance,
  ...background,
  ...notifications,
  ...privacy,
  ...phrase,
  ...storage,
  ...readers,
  ...server,
  ...devices,
  ...link,
  ...api,
  ...help,
  ...about,
} as const;
