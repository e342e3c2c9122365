/**
 * The settings of the app: each with its schema, its default, and its value in a fault report. A new setting needs a
 * line here, its words, a control in src/renderer/settings, and its row in entries.ts there. Not for pages, which load
 * no schemas (./names.ts).
 */
import { z } from 'zod';
import { keptDays, listWidths, textSizes } from './setting-bounds.ts';
import { LanguageName, ProxySetting, TimeOfDay } from './shapes/app.ts';
import { Time } from './shapes/values.ts';

/** A value in a fault report. */
type Reported = string | number | boolean | null;

interface Setting<Schema extends z.ZodType> {
  schema: Schema;
  initial: z.infer<Schema>;
  /** Value in a fault report, which reveals nothing about the person. */
  report: (value: z.infer<Schema>) => Reported;
}

function setting<Schema extends z.ZodType>(
  schema: Schema,
  initial: z.infer<Schema>,
  report: Setting<Schema>['report'],
): Setting<Schema> {
  return { schema, initial, report };
}

/** Reports a value as it is. */
const whole = <Value extends Reported>(value: Value): Value => value;

/** Limit of languages for the spelling checker: each has its dictionary in memory. */
const MAX_LANGUAGES = 5;

const table = {
  theme: setting(z.enum(['system', 'light', 'dark']), 'system', whole),
  /** Scale of all text, in percent. */
  textSize: setting(z.literal(textSizes), 100, whole),
  density: setting(z.enum(['comfortable', 'compact']), 'comfortable', whole),
  /** Width of the chat list, in pixels at a text size of 100; the smallest shows only avatars. */
  listWidth: setting(
    z.union([z.literal(listWidths.rail), z.number().int().min(listWidths.least).max(listWidths.most)]),
    listWidths.initial,
    whole,
  ),
  /** Key that sends a message: Enter; or Enter with Ctrl or Cmd, and then Enter starts a new line. */
  sendWith: setting(z.enum(['enter', 'mod-enter']), 'enter', whole),
  /** True if this app sends receipts for delivered messages. If not, receipts of others are hidden. */
  deliveredReceipts: setting(z.boolean(), true, whole),
  /** True if this app sends receipts for read messages. If not, receipts of others are hidden. */
  readReceipts: setting(z.boolean(), false, whole),
  /** True if this app fetches pages of links that the person writes, for previews. */
  linkPreviews: setting(z.boolean(), false, whole),
  /** Number on the app's icon: unread messages, unread mentions, or unread chats. */
  badgeCounts: setting(z.enum(['all', 'mentions', 'chats']), 'all', whole),
  /** True if a mention notifies in a muted chat. */
  mentionsPassMute: setting(z.boolean(), true, whole),
  /**
   * True if the app continues in the tray when its window is closed; null: if the desktop has one (desktop
   * only).
   */
  keepInTray: setting(z.boolean().nullable(), null, whole),
  notifications: setting(z.enum(['full', 'name', 'hidden', 'off']), 'hidden', whole),
  /** True if a notification makes a sound. */
  notificationSound: setting(z.boolean(), true, whole),
  /** No notifications between these times, also over midnight; null: no quiet hours. */
  quietHours: setting(
    z.strictObject({ from: TimeOfDay, to: TimeOfDay }).nullable(),
    null,
    (hours) => hours !== null,
  ),
  /** End of a pause of notifications. */
  notificationsPausedUntil: setting(Time.nullable(), null, (until) => until !== null),
  /** True if the app starts hidden at login (desktop only). */
  startAtLogin: setting(z.boolean(), false, whole),
  /** Locks after this many idle minutes, if a passphrase is set; null: never. */
  autoLockMinutes: setting(z.literal([1, 5, 15, 60]).nullable(), 60, whole),
  /** Locks with the system's screen and before sleep, if a passphrase is set (desktop only). */
  lockWithScreen: setting(z.boolean(), false, whole),
  /** Days for which this computer keeps files; null: always. */
  keepFilesDays: setting(z.literal(keptDays).nullable(), null, whole),
  /** True if the window is excluded from screenshots (desktop only; not on Linux). */
  contentProtection: setting(z.boolean(), false, whole),
  /** True if spelling is checked (desktop only); null: if the system has its own checker. */
  spellCheck: setting(z.boolean().nullable(), null, whole),
  /** Languages to check (desktop only; not on macOS); empty: the system's. */
  spellCheckLanguages: setting(z.array(LanguageName).max(MAX_LANGUAGES), [], (languages) => languages.length),
  proxy: setting(ProxySetting, { kind: 'system' }, ({ kind }) => kind),
  /** Channel of accepted releases (desktop only). */
  updateChannel: setting(z.enum(['stable', 'beta']), 'stable', whole),
  /** True if it checks for new releases automatically (desktop only). */
  checkForUpdates: setting(z.boolean(), true, whole),
};

type Table = typeof table;
type Name = keyof Table;

/** One property for each setting. */
function forEach<T>(make: (setting: Setting<z.ZodType>) => T): Record<Name, T> {
  return Object.fromEntries(
    Object.entries(table).map(([name, each]) => [name, make(each as Setting<z.ZodType>)]),
  ) as Record<Name, T>;
}

export const Settings = z.strictObject(
  forEach(({ schema }) => schema) as { [N in Name]: Table[N]['schema'] },
);
export type Settings = z.infer<typeof Settings>;

export const defaultSettings = forEach(({ initial }) => initial) as Settings;

/** The settings of a file. One edited by hand may contain anything: an invalid setting counts as unset. */
export const StoredSettings = z.object(
  forEach(({ schema, initial }) => schema.catch(initial)) as { [N in Name]: z.ZodCatch<Table[N]['schema']> },
);

/** The settings in a fault report. */
export function reportedSettings(settings: Settings): Record<Name, Reported> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { report }]) => [
      name,
      (report as (value: unknown) => Reported)(settings[name as Name]),
    ]),
  ) as Record<Name, Reported>;
}
