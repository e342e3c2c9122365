/** All settings, in order: for the page and the search. */

import { type SectionName, sectionNames } from '../shared/setting-names.ts';
import { t } from '../words.tsx';
import { Updates, Version } from './about.tsx';
import { AccountEnd } from './account/account-end.tsx';
import { InviteSetting } from './account/invite-setting.tsx';
import { ProfileForm } from './account/profile-form.tsx';
import { ApiSettings } from './api/api-settings.tsx';
import { Density, TextSize, Theme } from './appearance.tsx';
import { KeepRunning, StartAtLogin } from './background.tsx';
import { BlockedPeople } from './blocked-people.tsx';
import { DefaultTimer, DeliveredReceipts, LinkPreviews, ReadReceipts, SendWith } from './chats.tsx';
import { Devices, LinkSetting, Stolen } from './devices.tsx';
import type { SettingRow, SettingsFacts } from './entry.ts';
import { Help } from './help.tsx';
import { BrowserPermission } from './notifications/browser-permission.tsx';
import {
  BadgeCounts,
  MentionsPassMute,
  NotificationHours,
  NotificationLevel,
  NotificationSound,
} from './notifications/notification-settings.tsx';
import { AppLock } from './privacy/app-lock.tsx';
import { RecoveryPhrase } from './privacy/recovery-phrase.tsx';
import { canHideFromScreenshots, ScreenCapture } from './privacy/screen-capture.tsx';
import { WhoCanRead } from './privacy/who-can-read.tsx';
import { Wipe } from './privacy/wipe.tsx';
import { ProxyChoice } from './proxy-choice.tsx';
import { ServerFacts } from './server-facts.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { checksSpelling, Spelling } from './spelling.tsx';
import { Backup } from './storage/backup.tsx';
import { DiskUse } from './storage/disk-use.tsx';
import { ImportChat } from './storage/import-chat.tsx';
import { KeepFiles } from './storage/keep-files.tsx';

export const sectionTitles: Readonly<Record<SectionName, string>> = {
  account: t('settings.account'),
  notifications: t('settings.notifications'),
  appearance: t('settings.appearance'),
  chats: t('settings.chats'),
  privacy: t('settings.privacy'),
  devices: t('settings.devices'),
  server: t('settings.server'),
  storage: t('settings.storage'),
  api: t('settings.api'),
  shortcuts: t('settings.shortcuts'),
  about: t('settings.about'),
};

/** A page in a browser has no icon of its own, and is neither started nor updated by itself. */
const onDesktop = ({ host }: SettingsFacts) => host.kind === 'electron';
/** Notifications of a page depend on the browser, not on the system. */
const inBrowser = ({ host }: SettingsFacts) => host.kind === 'browser';
const withAccount = ({ isDeleted }: SettingsFacts) => !isDeleted;
const whileAccepted = ({ isDeleted, mayAct }: SettingsFacts) => !isDeleted && mayAct;

const inSections = {
  account: [
    { name: 'profile', title: t('settings.profile'), words: t('settings.findProfile'), View: ProfileForm },
    {
      name: 'invites',
      title: t('invites.own'),
      words: t('settings.findInvites'),
      View: InviteSetting,
      isThere: whileAccepted,
    },
    { name: 'phrase', title: t('settings.phrase'), words: t('settings.findPhrase'), View: RecoveryPhrase },
    {
      name: 'accountEnd',
      title: t('settings.accountDelete'),
      words: t('settings.findAccountEnd'),
      View: AccountEnd,
      isThere: ({ mayAct }) => mayAct,
    },
  ],
  notifications: [
    {
      name: 'permission',
      title: t('settings.permission'),
      words: t('settings.findPermission'),
      View: BrowserPermission,
      isThere: inBrowser,
    },
    {
      name: 'notifications',
      title: t('settings.notificationsShow'),
      words: t('settings.findNotifications'),
      View: NotificationLevel,
    },
    {
      name: 'sound',
      title: t('settings.sound'),
      words: t('settings.findSound'),
      View: NotificationSound,
    },
    {
      name: 'quietHours',
      title: t('settings.quietHours'),
      words: t('settings.findQuietHours'),
      View: NotificationHours,
    },
    {
      name: 'mentions',
      title: t('settings.mentions'),
      words: t('settings.findMentions'),
      View: MentionsPassMute,
    },
    {
      name: 'badgeCounts',
      title: t('settings.badgeCounts'),
      words: t('settings.findBadgeCounts'),
      View: BadgeCounts,
      isThere: onDesktop,
    },
    {
      name: 'keepRunning',
      title: t('settings.keepRunning'),
      words: t('settings.findKeepRunning'),
      View: KeepRunning,
      isThere: onDesktop,
    },
    {
      name: 'startAtLogin',
      title: t('settings.startAtLogin'),
      words: t('settings.findStartAtLogin'),
      View: StartAtLogin,
      isThere: onDesktop,
    },
  ],
  appearance: [
    { name: 'theme', title: t('settings.theme'), words: t('settings.findTheme'), View: Theme },
    { name: 'textSize', title: t('settings.textSize'), words: t('settings.findTextSize'), View: TextSize },
    { name: 'density', title: t('settings.density'), words: t('settings.findDensity'), View: Density },
  ],
  chats: [
    { name: 'sendWith', title: t('settings.sendWith'), words: t('settings.findSendWith'), View: SendWith },
    {
      name: 'spelling',
      title: t('settings.spelling'),
      words: t('settings.findSpelling'),
      View: Spelling,
      isThere: checksSpelling,
    },
    {
      name: 'delivered',
      title: t('settings.delivered'),
      words: t('settings.findDelivered'),
      View: DeliveredReceipts,
    },
    { name: 'read', title: t('settings.read'), words: t('settings.findRead'), View: ReadReceipts },
    {
      name: 'linkPreviews',
      title: t('settings.linkPreviews'),
      words: t('settings.findLinkPreviews'),
      View: LinkPreviews,
    },
    {
      name: 'timer',
      title: t('settings.timer'),
      words: t('settings.findTimer'),
      View: DefaultTimer,
      isThere: whileAccepted,
    },
  ],
  privacy: [
    { name: 'appLock', title: t('settings.appLock'), words: t('settings.findAppLock'), View: AppLock },
    {
      name: 'screenshots',
      title: t('settings.screenshots'),
      words: t('settings.findScreenshots'),
      View: ScreenCapture,
      isThere: canHideFromScreenshots,
    },
    { name: 'blocked', title: t('settings.blocked'), words: t('settings.findBlocked'), View: BlockedPeople },
    { name: 'readers', title: t('settings.readers'), words: t('settings.findReaders'), View: WhoCanRead },
  ],
  devices: [
    {
      name: 'devices',
      title: t('settings.devicesList'),
      words: t('settings.findDevices'),
      View: Devices,
      isThere: whileAccepted,
    },
    {
      name: 'link',
      title: t('settings.link'),
      words: t('settings.findLink'),
      View: LinkSetting,
      isThere: whileAccepted,
    },
    {
      name: 'stolen',
      title: t('settings.stolen'),
      words: t('settings.findStolen'),
      View: Stolen,
      isThere: whileAccepted,
    },
  ],
  server: [
    {
      name: 'serverAddress',
      title: t('settings.serverAddress'),
      words: t('settings.findServerAddress'),
      View: ServerFacts,
    },
    { name: 'proxy', title: t('settings.proxy'), words: t('settings.findProxy'), View: ProxyChoice },
  ],
  storage: [
    { name: 'backup', title: t('settings.backup'), words: t('settings.findBackup'), View: Backup },
    { name: 'diskUse', title: t('settings.diskUse'), words: t('settings.findDiskUse'), View: DiskUse },
    {
      name: 'keepFiles',
      title: t('settings.keepFiles'),
      words: t('settings.findKeepFiles'),
      View: KeepFiles,
      // Files are removed only while the server confirms the time.
      isThere: whileAccepted,
    },
    {
      name: 'importChat',
      title: t('export.importTitle'),
      words: t('export.findImport'),
      View: ImportChat,
      isThere: withAccount,
    },
    { name: 'wipe', title: t('settings.wipe'), words: t('settings.findWipe'), View: Wipe },
  ],
  api: [
    {
      name: 'api',
      title: t('settings.apiAccess'),
      words: t('settings.findApi'),
      View: ApiSettings,
      isThere: whileAccepted,
    },
  ],
  shortcuts: [
    {
      name: 'shortcuts',
      title: t('settings.shortcuts'),
      words: t('settings.findShortcuts'),
      View: Shortcuts,
    },
  ],
  about: [
    { name: 'version', title: t('settings.version'), words: t('settings.findVersion'), View: Version },
    {
      name: 'updates',
      title: t('settings.updates'),
      words: t('settings.findUpdates'),
      View: Updates,
      isThere: onDesktop,
    },
    { name: 'help', title: t('settings.help'), words: t('settings.findHelp'), View: Help },
  ],
} as const satisfies Readonly<Record<SectionName, readonly SettingRow[]>>;

export type SettingName = (typeof inSections)[SectionName][number]['name'];

/** A setting with its section. */
export interface SettingEntry extends SettingRow {
  name: SettingName;
  section: SectionName;
}

export const entries: readonly SettingEntry[] = sectionNames.flatMap((section) =>
  inSections[section].map((row) => ({ ...row, section })),
);
