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

/** The settings that other parts of the window open. All names are in src/renderer/settings/entries.ts. */
export type LinkedSetting = 'accountEnd' | 'appLock' | 'backup' | 'devices' | 'wipe';
