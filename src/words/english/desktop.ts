/** What the desktop shows beside the window: tray, notifications, menu, and boxes when something is badly wrong. */
export const desktop = {
  // The app itself
  app: 'Waxwing',
  cannotStart: 'Waxwing can’t start',
  stopped: 'Waxwing stopped',
  windowCloses: 'Waxwing can’t show its window',
  windowClosesHelp: 'The window keeps closing. Your messages are safe. Restart Waxwing.',
  loginItemRefused: 'Couldn’t change startup settings',
  loginItemNotInstalled: 'Only the installed app can start at login.',

  // Updates
  updateUnsigned: 'Update not installed: invalid signature.',
  updateOlder: 'Update not installed: the update server offers an older version than before.',
  updateOtherFile: 'Update not installed: the download isn’t the file that the release names.',
  updateUnknownForm: 'Update not installed: this version can’t read the release.',
  updateInsecure: 'Update not installed: the update server didn’t use https.',
  updateEmpty: 'Update not installed: {file} on the update server is empty.',
  updateTooLong: 'Update not installed: the update server’s answer is too long.',
  updateUnreachable: 'Can’t reach the update server. Try again later.',

  // Menu
  viewMenu: 'View',

  // Tray
  open: 'Open Waxwing',
  lock: 'Lock Waxwing',
  quit: 'Quit Waxwing',
  online: 'Connected',
  connecting: 'Connecting…',
  offline: 'Can’t reach the server',
  locked: 'Locked',
  lockedNew: 'Locked, new messages',
  unread: '{count, plural, one {# unread} other {# unread}}',
  pause: 'Pause notifications',
  pauseHour: 'For 1 hour',
  pauseTomorrow: 'Until tomorrow',
  pausedUntil: 'Notifications are paused until {time}',
  resume: 'Resume notifications',

  // Notifications
  newMessages: '{count, plural, one {New message} other {# new messages}}',
  newMessagesInChats:
    '{messages, plural, one {# new message} other {# new messages}} in {chats, plural, one {# chat} other {# chats}}',
  authorInGroup: '{author} in {group}',
  request: 'Message request',
  reply: 'Reply',
  markRead: 'Mark as read',
  replyNotSent: 'Reply not sent',
} as const;
