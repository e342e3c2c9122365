/** Texts of the desktop outside the window: tray, notifications, menu, and error boxes. */
export const desktop = {
  // The app itself
  app: 'Waxwing',
  cannotStart: 'Waxwing can’t start',
  stopped: 'Waxwing stopped',
  fault: 'Waxwing has a problem',
  faultEnds:
    'Waxwing has a fault ({id}) and ends now. Nothing saved is lost. The log has the details under this code.',
  linkBesideData:
    'A link opens only in the usual data folder, and --data names another. Start Waxwing with --data alone, then open a new chat with the address in the link.',
  windowCloses: 'Waxwing can’t show its window',
  windowClosesHelp: 'The window keeps closing. Your messages are safe. Restart Waxwing.',
  unsaved: 'Leave without saving?',
  unsavedText:
    'The window has a secret that you won’t see again, or a recording or files that weren’t sent. Save or send them first.',
  unsavedStay: 'Stay',
  unsavedLeave: 'Leave',
  loginItemRefused: 'Couldn’t change startup settings',
  /** The kind of file, in dialogs. */
  backups: 'Waxwing backups',

  // Menu
  viewMenu: 'View',
  helpMenu: 'Help',
  copyDiagnostics: 'Copy diagnostics',
  openLogs: 'Open log folder',
  copied: 'Diagnostics copied',
  copiedText:
    'Paste them into your report. They have versions, settings, counts and the newest log entries. They have no messages, names or addresses.',
  notCopied: 'Couldn’t copy diagnostics',
  logsNotOpened: 'Couldn’t open the log folder',

  noProposals: 'No suggestions',
  learnWord: 'Add to dictionary',

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
  reacted: '{author} reacted {emoji} to: {text}',
  newReactions: '{count, plural, one {New reaction} other {# new reactions}}',
  authorInGroup: '{author} in {group}',
  request: 'Message request',
  deviceAdded: '{count, plural, one {A device was} other {# devices were}} added to your account',
  deviceAddedQuestion: 'Was this you?',
  deviceAddedNamed: 'Was this you? {name}, {at, date, medium}, {at, time, short}',
  reply: 'Reply',
  markRead: 'Mark as read',
  replyNotSent: 'Reply not sent',
} as const;
