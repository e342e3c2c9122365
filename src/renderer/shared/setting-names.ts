/** The sections of Settings, in order. */
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

/** The names of settings, for links from anywhere in the window. */
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
  | 'linkPreviews'
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
  | 'diskUse'
  | 'keepFiles'
  | 'importChat'
  | 'backup'
  | 'wipe'
  | 'api'
  | 'shortcuts'
  | 'version'
  | 'updates'
  | 'help';
