/** The default settings. Separate from the schemas, which are not loaded in pages (./names.ts). */
import type { Settings } from './shapes.ts';

export const defaultSettings: Settings = {
  theme: 'system',
  textSize: 100,
  density: 'comfortable',
  listWidth: 320,
  sendWith: 'enter',
  deliveredReceipts: true,
  readReceipts: false,
  badgeCounts: 'all',
  mentionsPassMute: true,
  keepInTray: null,
  notifications: 'hidden',
  notificationSound: true,
  quietHours: null,
  notificationsPausedUntil: null,
  startAtLogin: false,
  autoLockMinutes: 60,
  lockWithScreen: false,
  contentProtection: false,
  spellCheck: null,
  spellCheckLanguages: [],
  proxy: { kind: 'system' },
  updateChannel: 'stable',
  checkForUpdates: true,
};
