/** Settings, all of their pages. */
export const settings = {
  settings: 'Settings',

  // Account
  account: 'Account',
  name: 'Name',
  nameSave: 'Save name',
  saved: 'Saved',
  handle: 'Handle: {handle}',
  address: 'Your address',
  accountDeleteAt: 'Delete account on {server}',
  accountDelete: 'Delete account',
  accountDeleteText:
    'You leave your groups now. Your handle, name, device keys and API keys are deleted from the server. No one else can take your handle for a year.',
  accountStaysText: 'Sent messages stay with others. What is on your computers stays there.',
  accountDeleteWhen: 'When',
  accountDeleteLater: 'In 7 days',
  accountDeleteNow: 'Now, with your recovery phrase',
  accountDeleteLaterText: 'You can cancel until then, on any of your computers.',
  accountDeleteNowText: 'This confirms that it’s you. You can’t cancel it.',
  accountEndsText:
    'Your account on {server} will be deleted on {time}. You have left your groups. If this wasn’t you, cancel it.',
  accountKeep: 'Cancel deletion',
  accountGoneText:
    'Your account on {server} was deleted. Your messages, contacts and the key of your account are still on this computer.',
  accountReopenText:
    'You can open the account again with that key. It starts without groups and API keys. Or delete what is on this computer.',
  accountReopen: 'Open account again',

  // Appearance and background
  appearance: 'Appearance',
  theme: 'Theme',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',
  background: 'Background',
  keepRunning: 'Keep running when the window is closed',
  keepRunningText: 'Waxwing keeps receiving messages.',
  startAtLogin: 'Start when you log in',
  startAtLoginText: 'Starts in the tray, without a window',

  // Notifications
  notifications: 'Notifications',
  notificationsShow: 'Show in notifications',
  notificationsFull: 'Name and message',
  notificationsName: 'Name only',
  notificationsHidden: 'No details',
  notificationsOff: 'No notifications',
  sound: 'Sound',
  soundText: 'Plays your system’s notification sound',
  quietHours: 'Quiet hours',
  quietHoursText: 'No notifications between two times, every day',
  quietFrom: 'From',
  quietTo: 'To',
  quietSame: 'Choose two different times.',

  // Privacy and security
  privacy: 'Privacy and security',
  appLock: 'App lock',
  appLockOff: 'Require a passphrase to open Waxwing',
  appLockOn: 'Waxwing asks for your passphrase at every start and after it locks.',
  appLockNeeded: 'This computer has no keychain, so only your passphrase protects your messages.',
  lockAfter: 'Lock after',
  lockMinutes: '{count, plural, one {# minute} other {# minutes}}',
  lockHours: '{count, plural, one {# hour} other {# hours}}',
  lockNever: 'Never',
  passphraseOn: 'Turn on App lock',
  passphraseOff: 'Turn off App lock',
  passphraseChange: 'Change passphrase',
  passphraseForgot: 'Forgot it? Only your recovery phrase opens your messages.',
  screenshots: 'Hide Waxwing from screenshots',
  screenshotsMac: 'Hides Waxwing from most screenshots. Newer macOS recorders still capture it.',
  screenshotsWindows: 'Hides Waxwing from screenshots and shared screens. Remote Desktop still shows it.',

  // Recovery phrase
  phrase: 'Recovery phrase',
  phraseText: 'Available only in the desktop app',
  phraseShow: 'Show recovery phrase',
  phraseWarning: 'Anyone who sees these words can use your account.',
  phraseCopy: 'Copy recovery phrase',
  phraseHidden: 'It’s hidden again after a minute.',
  phraseHide: 'Hide',
  privateKey: 'Private key',
  privateKeyCopy: 'Copy private key',

  // Storage
  storage: 'Storage',
  storageText: 'Your messages are stored encrypted on this computer.',
  wipe: 'Delete all data',
  wipeText:
    'This deletes your account and messages here. Without your recovery phrase or another device, you lose your account.',
  wipeReady: 'I saved my recovery phrase or don’t need this account',

  // Who can read what
  readers: 'Who can read what',
  readersHere: 'On this computer',
  readersLocked: 'While Waxwing is locked',
  readersLockedText: 'Messages are closed and wait on the server.',
  readersNeverLocked:
    'Waxwing never locks. Anyone using your computer login can open your messages. Turn on App lock to prevent this.',
  readersServer: 'On the server',
  readersServerText: 'The server sees who writes to whom, when and how much. It can’t read messages.',
  readersPeople: 'People you write to',
  readersPeopleText: 'They can keep or share messages, and prove you wrote them.',
  readersStolenKey: 'A stolen device key',
  readersStolenKeyText: 'It opens recent messages sent to that device.',
  readersPhrase: 'Your recovery phrase',
  readersPhraseText:
    'Anyone who has it can use your account, and open the messages on this computer without the passphrase.',

  // Server
  server: 'Server',
  serverAddress: 'Address',
  version: 'Version',

  // Devices
  devices: 'Devices',
  devicesList: 'Your devices',
  devicesText:
    'New messages appear on all your devices. To add a computer without this one, choose “{recover}” there.',
  deviceThis: 'This computer',
  deviceOther: 'Another computer',
  deviceApi: 'API device',
  deviceKey: 'Key from {date}',
  deviceNoKey: 'Can’t receive messages now',
  deviceValid: 'Valid until {date}',
  deviceRemove: 'Remove',
  deviceRemoveAction: 'Remove device',
  deviceRemoveTitle: 'Remove this device?',
  deviceRemoveText:
    'It can’t send or receive anymore. Its messages stay on it. It keeps the key of your account, so removing it isn’t enough if someone else has it. In that case, start a new account.',
  stolen: 'If a device was stolen',
  stolenText:
    'Removing it isn’t enough. Each of your devices holds the key of your account. A thief can add the device again, read new messages and write as you. Only a new account ends that.',
  stolenHelp:
    'You get a new address and handle, and your messages are deleted from this computer. Tell your contacts the new address in person or by phone. Ask the owners of your groups to remove your old account.',
  stolenAction: 'Start a new account',

  // Linking a computer
  link: 'Link a computer',
  linkText: 'That computer will read and write as you. Link only one in front of you.',
  linkWarning:
    '<strong>Anyone who has the code within ten minutes can use your account.</strong> Don’t send it to anyone.',
  linkStepServer:
    'Start Waxwing on the other computer and choose the server <strong><bdi>{server}</bdi></strong>.',
  linkStepChoice: 'Choose “{choice}”.',
  linkStepCode: 'Enter the code there. The new device then appears here.',
  linkHistory: 'Past messages aren’t copied to that computer.',
  linkLocal:
    'Your server runs on this computer. Another computer reaches it only if you forward the connection.',
  linkShow: 'Show code',
  linkQr: 'QR code of the code below',
  linkCopy: 'Copy code',
  linkWaiting: 'Waiting for the other computer.',
  linkExpires: 'The code expires in {time}.',
  linkCancel: 'Cancel code',
  linkExpired: 'This code expired. No one can use it anymore.',
  linkNew: 'Create new code',
  linkUsed: 'The code was used before you canceled it. Remove any device you don’t recognize.',
  linkDone: '<strong>{device} (<mono>{id}</mono>) is linked.</strong> Remove any device you don’t recognize.',

  // API Settings
  api: 'API Settings',
  apiLocked: 'Developer API access is locked',
  apiText: 'Programs with API keys can read and send as you, labeled API.',
  apiUnlock: 'Unlock API access',
  apiUnlockTitle: 'Unlock Developer API access?',
  apiUnlockText: 'Contacts will accept messages no device signed, on the server’s word.',
  apiLock: 'Lock API access',
  apiLockTitle: 'Lock Developer API access?',
  apiLockText:
    '{count, plural, =0 {Contacts will no longer accept messages no device signed.} one {# API key stops working until you unlock.} other {# API keys stop working until you unlock.}}',
  apiDocs: 'How to use the API',
  apiDocsAt: 'How to use the API: open <strong><bdi>{url}</bdi></strong> in your browser.',
  apiDocsCopy: 'Copy the address',
  keys: 'API keys',
  keysNone: 'No API keys yet',
  keyNew: 'New API key',
  keyName: 'Key name',
  keyPlaceholder: 'Nightly build',
  keyPermissions: 'Permissions',
  keyExpiresAfter: 'Expires after',
  keyDays: '{count, plural, one {# day} other {# days}}',
  keyYear: '1 year',
  keyNever: 'Never',
  keyCreate: 'Create key',
  keyRevokeAction: 'Revoke key',
  keyRevokeTitle: 'Revoke the key “{name}”?',
  keyExpires: 'Expires {date}',
  keyExpired: 'Expired {date}',
  keyNeverExpires: 'Never expires',
  keyTitle: 'New API key: <bdi>{name}</bdi>',
  keyText: 'Anyone who has it can act as you, within its permissions.',
  keyExampleSend: 'Send with the command line',
  permissionDirectory: 'Find people and their device keys',
  permissionSend: 'Send messages',
  permissionInbox: 'Read your inbox',
  permissionGroups: 'See your groups and their members',
  permissionGroupsSend: 'Post in your groups',

  // Blocked contacts
  blocked: 'Blocked',
  blockedNone: 'You haven’t blocked anyone.',

  // Help
  help: 'Help',
  helpText:
    'Diagnostics help us find a problem: versions, settings, counts and the newest log entries. They have no messages, names or addresses.',
  logsOpen: 'Open log folder',
  logsShow: 'Show log folder',
  logs: 'Log folder',
  logsCopy: 'Copy the path',

  // About
  about: 'About',
  aboutVersion: 'Waxwing {version}',
  releases: 'Releases',
  releasesStable: 'Stable',
  releasesBeta: 'Beta',
  updates: 'Check for updates automatically',
  updatesText: 'A few times a day. A new version installs when you quit.',
  updatesCheck: 'Check now',
} as const;
