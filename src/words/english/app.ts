/** The main window as a whole: the frame around the panes, the command palette, toasts, and common messages. */
export const app = {
  name: 'Waxwing',
  opening: 'Waxwing is opening',
  updating: 'Updating your data',
  updatingHelp:
    'The new version of Waxwing uses another format. This needs up to {size} of disk space. You can quit: it continues at the next start.',
  titleUnread: '({count, number}) Waxwing',
  chat: 'Chat',
  listWidth: 'Width of the chat list',
  details: 'Details',

  // Warnings and errors
  cannotStart: 'Waxwing couldn’t start',
  wentWrong: 'Something went wrong',
  wentWrongHelp: 'Your messages are safe. Reload the window.',
  wentWrongHelpId: 'Your messages are safe. Reload the window. The log has the details under {id}.',
  reload: 'Reload',
  notices: 'Notices',
  dismiss: 'Dismiss',
  copyDiagnostics: 'Copy diagnostics',
  ending: 'Time of this computer',
  endingHelp:
    'This computer can use your account until {date}. Renew it under Settings > Devices, or open Waxwing on a computer that keeps your recovery phrase.',
  unprotected: 'Unprotected key',
  unprotectedHelp: 'Anyone using your computer login can open your messages. Set a passphrase.',

  // The end of the account
  accountEnd: 'Account deletion',
  accountEnds: 'Your account on {server} will be deleted on {time}.',
  accountGone:
    'Your account on {server} was deleted. You can read your messages here, but not send or receive.',

  // Devices added to the account elsewhere
  devicesAdded: 'New device',
  deviceAddedText: 'A device was added to your account on {time}: <bdi>{name}</bdi>. Was this you?',
  devicesAddedText:
    '{count, plural, one {# device was} other {# devices were}} added to your account, the last on {time}. Was this you?',
  devicesAddedConfirm: 'It was me',
  devicesAddedReview: 'Review devices',

  // Read aloud
  newMessages: 'New messages',
  arrived: '{author}: {text}',
  arrivedElsewhere: 'New message from {author}',
  arrivedRequest: '{author} wants to message you',
  arrivedMany: '{count, plural, one {# new message} other {# new messages}}',

  // A link from outside
  linkTitle: 'Open a chat with {address}?',
  linkText: 'This link opens a chat with {address}. Nothing is sent until you write.',
  linkAction: 'Open chat',

  // Command palette
  palette: 'Command palette',
  paletteField: 'Find anything',
  paletteResults: 'Results',
  paletteNothing: 'No results. Try a handle or address.',
  paletteChats: 'Chats',
  palettePeople: 'People on this server',
  paletteCommands: 'Commands',
  newChat: 'New chat',
  groups: 'Groups',
  settings: 'Settings',
  lock: 'Lock Waxwing',
  mute: 'Mute {chat}',
  unmute: 'Unmute {chat}',
  lightTheme: 'Use light theme',
  darkTheme: 'Use dark theme',
  systemTheme: 'Use system theme',

  // Shortcuts
  keys: 'Keyboard shortcuts',
  keysAnywhere: 'Anywhere',
  keysChats: 'Chats',
  keysMessage: 'On a message (Shift+Tab from the message field)',
  keysWriting: 'While you write',
  keyPalette: 'Find anything',
  keyRegion: 'Go to the next part of the window',
  keySearch: 'Search chats and messages',
  keyDetails: 'Show or hide details',
  keyLeaveMessage: 'Go back to the message field',
  keyEditLast: 'Edit your last message, in an empty field',
  keyMute: 'Mute or unmute the open chat',
  keyPinnedChat: 'Open a pinned chat, in their order',
  keyNextChat: 'Next chat',
  keyPreviousChat: 'Previous chat',
  keyNextUnread: 'Next unread chat',
  keyPreviousUnread: 'Previous unread chat',

  // Copying
  copied: 'Copied',
  copiedSecret: 'Copied. It’s removed from the clipboard in a minute.',
  copiedSecretInBrowser: 'Copied. Copy something else when you’re done.',
  copyRefused: 'Copying wasn’t allowed',
  copyExample: 'Copy: {title}',
  copySecret: 'Copy secret',
  copyNamed: 'Copy: {what}',

  // A secret that is shown once
  secretOnce: 'Copy it now. You won’t see it again.',
  secretSaved: 'I saved it',

  // Updates of the app itself
  updateIdle: 'Not checked yet',
  updateChecking: 'Checking for updates…',
  updateCurrent: 'Waxwing is up to date.',
  updateCurrentFrom: 'Waxwing is up to date. The newest version is from {date}.',
  updateOld:
    'The newest version on the update server is from {date}. If Waxwing’s web page has a newer one, something keeps updates from this computer.',
  updateAvailable: 'Version {version} is available. Install it as you installed Waxwing.',
  updateDownloading: 'Downloading version {version}…',
  updateReady: 'Version {version} installs when you quit Waxwing.',
  updateFailed: 'The update couldn’t be downloaded.',
  updateUnavailable: 'This copy of Waxwing doesn’t update itself.',
  updateCheck: 'Check for updates',

  // Reminder
  backupDue: 'Backup',
  backupDueText: 'There’s no recent backup of your messages. If you lose this computer, you lose them.',
  backupDueOpen: 'Back up…',
  backupDueLater: 'Not now',

  // History of another computer
  history: 'Messages from your other computer',
  historyReceiving: 'Receiving messages from your other computer… {percent, number, percent}',
  historyWaiting: 'Waiting for messages from your other computer. Keep Waxwing open there.',
  historyComplete: 'The messages of your other computer are here.',
  historyStopped: 'Your other computer stopped sending messages. Those that arrived stay here.',
  historyNoRoom: 'There isn’t enough room on this computer. It continues when there is.',
  historyHide: 'Hide',
  historyStop: 'Stop receiving messages?',
  historyStopText:
    'Messages that arrived stay here. To receive the others later, you have to link this computer again.',
  historyStopAction: 'Stop receiving',
} as const;
