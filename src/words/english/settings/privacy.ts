/** Texts of the Privacy & lock page, with App lock and blocked contacts. */
export const privacy = {
  // Privacy & lock
  privacy: 'Privacy & lock',
  appLock: 'App lock',
  findAppLock: 'passphrase, password, auto-lock, lock after minutes, lock with the screen, change passphrase',
  appLockOff: 'Require a passphrase to open Waxwing',
  appLockOn: 'Waxwing asks for your passphrase at every start and after it locks.',
  appLockNeeded: 'This computer has no keychain, so only your passphrase protects your messages.',
  lockAfter: 'Lock after',
  lockMinutes: '{count, plural, one {# minute} other {# minutes}}',
  lockHours: '{count, plural, one {# hour} other {# hours}}',
  lockNever: 'Never',
  lockWithScreen: 'Lock with the screen',
  lockWithScreenText: 'Locks Waxwing whenever you lock your computer, or it sleeps',
  passphraseOn: 'Turn on App lock',
  passphraseOff: 'Turn off App lock',
  passphraseChange: 'Change passphrase',
  passphraseForgot: 'Forgot it? Only your recovery phrase opens your messages.',
  passphraseOnly: 'Forgot it? Then nothing opens your messages on this computer.',
  screenshots: 'Hide Waxwing from screenshots',
  findScreenshots: 'screen capture, recording, sharing, hide window',
  screenshotsMac: 'Hides Waxwing from most screenshots. Newer macOS recorders still capture it.',
  screenshotsWindows: 'Hides Waxwing from screenshots and shared screens. Remote Desktop still shows it.',

  // Blocked contacts
  blocked: 'Blocked',
  findBlocked: 'block, unblock people, contacts',
  blockedNone: 'You haven’t blocked anyone.',
} as const;
