/** App lock: unlocking, choosing a passphrase, recovery, problems with the keychain. */
export const lock = {
  // Unlocking
  locked: 'Waxwing is locked',
  lockedText: 'Enter your passphrase',
  lockedNew: 'You have new messages. Enter your passphrase.',
  passphrase: 'Passphrase',
  unlock: 'Unlock Waxwing',
  forgot: 'Forgot your passphrase?',
  wrong: 'Wrong passphrase. Try again.',
  wrongSeconds: 'Wrong passphrase. Try again in {seconds, number} s.',
  wrongMinutes: 'Wrong passphrase. Try again in {minutes, number} min.',

  // Choosing a passphrase
  choose: 'Choose a passphrase',
  chooseText: 'You’ll enter it at every start. Four random words work well.',
  showPassphrase: 'Show passphrase',
  hidePassphrase: 'Hide passphrase',
  yourPassphrase: 'Your passphrase',
  newPassphrase: 'New passphrase',
  shortest: 'At least {count, plural, one {# character} other {# characters}}',
  missing: '{count, plural, one {# more character} other {# more characters}}',
  repeat: 'Repeat passphrase',
  repeatHint: 'Enter it again, or show it to check it',
  repeatDiffers: 'The passphrases don’t match',
  repeatMatches: 'The passphrases match',
  repetitive: 'Too repetitive. Try four random words.',
  sequence: 'Too easy to guess: it follows the alphabet or the keyboard.',
  common: 'Too common. Try four random words.',
  ownName: 'Too easy to guess: it’s your own handle or name.',
  weak: 'Weak. Try four random words.',
  fair: 'Good, unless it’s a known phrase',
  strong: 'Strong, unless it’s a known phrase',

  // Recovery
  recover: 'Open with your recovery phrase',
  recoverText: 'Enter this account’s recovery phrase. It stays on this computer.',
  recoverField: 'Recovery phrase or private key',
  recoverAction: 'Open messages',

  // The keychain does not open the messages
  keychain: 'Your messages can’t be opened yet',
  keychainRefused: 'The keychain isn’t available. Unlock it. Nothing is lost.',
  keychainRefusedRecover:
    'The keychain isn’t available. Unlock it or use your recovery phrase. Nothing is lost.',
  keychainMissing: 'The keychain isn’t available. Log in to the desktop you used before. Nothing is lost.',
  keychainMissingRecover:
    'The keychain isn’t available. Log in to the desktop you used before, or use your recovery phrase. Nothing is lost.',
  keychainChanged:
    'The keychain of another desktop or app keeps the key. Open Waxwing there. Nothing is lost.',
  keychainChangedRecover:
    'The keychain of another desktop or app keeps the key. Open Waxwing there, or use your recovery phrase. Nothing is lost.',
  keychainOtherApp:
    'The desktop app keeps the key to your messages. Stop Waxwing here, turn on App lock there, and use its passphrase here.',
  keychainOtherAppRecover:
    'The desktop app keeps the key to your messages. Use your recovery phrase, or turn on App lock there and use its passphrase.',
  keychainOtherBrowser:
    'Waxwing in the browser keeps the key to your messages. Quit here, turn on App lock there, and use its passphrase here.',
  keychainOtherBrowserRecover:
    'Waxwing in the browser keeps the key to your messages. Use your recovery phrase, or turn on App lock there and use its passphrase.',
  restart: 'Restart Waxwing',
  keychainRecover: 'Use recovery phrase',
} as const;
