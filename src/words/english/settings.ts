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
  keepRunningNoTray: 'Your desktop has no tray icons, so closing the window quits Waxwing.',
  keepRunningHidden:
    'Waxwing keeps receiving messages. Your desktop has no tray icons: start Waxwing again to see the window.',
  startAtLogin: 'Start when you log in',
  startAtLoginText: 'Starts in the tray, without a window',
  startAtLoginWindow: 'Opens the window',

  // Notifications
  notifications: 'Notifications',
  notificationsShow: 'Show in notifications',
  notificationsFull: 'Name and message',
  notificationsName: 'Name only',
  notificationsHidden: 'No details',
  notificationsOff: 'No notifications',
  notificationsFail: 'Your system isn’t showing Waxwing’s notifications. Allow them in its settings.',
  notificationsFailMac:
    'macOS isn’t showing Waxwing’s notifications. Allow them in System Settings. A copy that isn’t signed can’t show any.',
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
  lockWithScreen: 'Lock with the screen',
  lockWithScreenText: 'Locks Waxwing whenever you lock your computer',
  passphraseOn: 'Turn on App lock',
  passphraseOff: 'Turn off App lock',
  passphraseChange: 'Change passphrase',
  passphraseForgot: 'Forgot it? Only your recovery phrase opens your messages.',
  passphraseOnly: 'Forgot it? Then nothing opens your messages on this computer.',
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
  phraseElsewhere:
    'Your recovery phrase isn’t kept on this computer. You need it here only to add, renew or remove devices, or to change API access.',
  phraseOnce: 'It’s used once and not kept here.',
  forgetText:
    'Waxwing goes on working here. To add, renew or remove devices, you then enter your recovery phrase.',
  forgetWarning:
    'If no other computer keeps it, your notes are the only copy. If you lose them, no one can recover your account.',
  forgetHint: 'Enter it once more, to be sure that you have it.',
  forgetAction: 'Remove recovery phrase',
  privateKey: 'Private key',
  privateKeyCopy: 'Copy private key',

  // Storage
  storage: 'Storage',
  storageText: 'Your messages are stored encrypted on this computer.',
  wipe: 'Delete all data',
  wipeText:
    'This deletes your account and messages here. Without your recovery phrase, or another computer that keeps it, you lose your account.',
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

  // Network
  network: 'Network',
  proxy: 'Proxy',
  proxySystem: 'Use system proxy',
  proxyNone: 'No proxy',
  proxyThis: 'This address',
  proxyText: 'A server on this computer is never reached through a proxy.',
  proxyAddress: 'Proxy address',
  proxyHint: 'A host and port, like proxy.example:8080',
  proxyMalformed: 'Enter a host and port, without a name or password.',
  proxySave: 'Save proxy',

  // Server
  server: 'Server',
  serverAddress: 'Address',
  version: 'Version',

  // Devices
  devices: 'Devices',
  devicesList: 'Your devices',
  devicesText:
    'New messages appear on all your devices. To add a computer without this one, choose “{recover}” there.',
  deviceKeepsPhrase: 'Keeps recovery phrase',
  deviceNoPhrase: 'No recovery phrase',
  deviceRenew: 'Renew',
  deviceRenewAction: 'Renew this computer',
  deviceRenewText:
    'This computer can use your account until {date}. Your recovery phrase renews it for a year.',
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
    'It can’t sign in, send or receive anymore, and API keys and tokens created on it stop working. Its messages stay on it. If it keeps your recovery phrase and someone else has it, start a new account.',
  stolen: 'If a device was stolen',
  stolenText:
    'Remove it here. That’s enough if it doesn’t keep your recovery phrase. If it does, a thief can add the device again, read new messages and write as you. Only a new account ends that.',
  stolenHelp:
    'You get a new address and handle, and your messages are deleted from this computer. Tell your contacts the new address in person or by phone. Ask the owners of your groups to remove your old account.',
  stolenAction: 'Start a new account',

  // Linking a computer
  link: 'Link a computer',
  linkStepServer:
    'Start Waxwing on the new computer and choose the server <strong><bdi>{server}</bdi></strong>.',
  linkStepChoice: 'Choose “{choice}”.',
  linkStepCode: 'Enter here the code that it shows.',
  linkLocal:
    'Your server runs on this computer. Another computer reaches it only if you forward the connection.',
  linkCode: 'Code on the new computer',
  linkHint: '28 letters and digits. Spaces and lowercase letters are fine.',
  linkComplete: 'Code complete',
  linkClaim: 'A computer waits that calls itself <strong><bdi>{name}</bdi></strong> (<mono>{id}</mono>).',
  linkWarning: 'That computer will read and write as you. Link only one in front of you.',
  linkLacks: 'Your past messages and your recovery phrase aren’t copied to it.',
  linkAction: 'Link computer',
  linkJoin:
    'On the new computer, check that it asks to join as {handle} with this address. Then choose “Join” there.',
  linkJoinAddress: 'On the new computer, check that it asks to join this address. Then choose “Join” there.',
  linkNotJoined: 'If it doesn’t ask, remove it from your devices again.',
  linkDone:
    '<strong><bdi>{name}</bdi> (<mono>{id}</mono>) is linked.</strong> Remove any device you don’t recognize.',

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
  permissionFiles: 'Send and receive files',

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
  updatesTextTold: 'A few times a day. Waxwing tells you about a new version, and you install it.',
  updatesCheck: 'Check now',
} as const;
