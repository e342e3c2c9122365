/**
 * All that people read in the app, in English: a section for each screen. The compiler checks all
 * other code, and each other language, against the names and parameters here.
 *
 * Messages are ICU MessageFormat: `{name}`, `{count, plural, one {# message} other {# messages}}`. A tag marks what the
 * interface shows in another way: `<bdi>` around names that people choose, `<mono>` around addresses.
 */
import { action } from './action.ts';
import { app } from './app.ts';
import { browserHost } from './browser-host.ts';
import { chat } from './chat.ts';
import { chats } from './chats.ts';
import { common } from './common.ts';
import { desktop } from './desktop.ts';
import { emoji } from './emoji.ts';
import { exporting } from './export.ts';
import { faces } from './faces.ts';
import { failure } from './failure.ts';
import { files } from './files.ts';
import { firstRun } from './first-run.ts';
import { groups } from './groups.ts';
import { invites } from './invites.ts';
import { links } from './links.ts';
import { lock } from './lock.ts';
import { message } from './message.ts';
import { people } from './people.ts';
import { protection } from './protection.ts';
import { search } from './search.ts';
import { settings } from './settings.ts';

export const english = {
  action,
  app,
  browserHost,
  chat,
  chats,
  common,
  desktop,
  emoji,
  export: exporting,
  faces,
  failure,
  files,
  firstRun,
  groups,
  invites,
  links,
  lock,
  message,
  people,
  protection,
  search,
  settings,
} as const;
