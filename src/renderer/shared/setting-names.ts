/** The sections of Settings, in their order. */
export const sectionNames = [
  'account',
  'notifications',
  'appearance',
  'chats',
  'privacy',
  'devices',
  'server',
  'storage',
  'api',
  'shortcuts',
  'about',
] as const;
export type SectionName = (typeof sectionNames)[number];

/** What Settings have, by names that anything in the window can lead to. */
export type SettingName =
  | 'profile'
  | 'phrase'
  | 'accountEnd'
  | 'permission'
  | 'notifications'
  | 'sound'
  | 'quietHours'
  | 'keepRunning'
  | 'startAtLogin'
  | 'theme'
  | 'textSize'
  | 'density'
  | 'sendWith'
  | 'spelling'
  | 'delivered'
  | 'read'
  | 'timer'
  | 'badgeCounts'
  | 'mentions'
  | 'blocked'
  | 'appLock'
  | 'screenshots'
  | 'readers'
  | 'devices'
  | 'link'
  | 'stolen'
  | 'serverAddress'
  | 'proxy'
  | 'wipe'
  | 'api'
  | 'shortcuts'
  | 'version'
  | 'updates'
  | 'help';
