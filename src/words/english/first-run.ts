/** First run, from the choice of a server to a profile. */
export const firstRun = {
  steps: 'Step {step, number} of {steps, number}',
  stageServer: 'Server',
  stageAccount: 'Account',
  stageProfile: 'Profile',

  // Server
  welcome: 'Welcome to Waxwing',
  welcomeText: 'Messages are end-to-end encrypted. Choose where to chat.',
  server: 'Server',
  thisComputer: 'This computer',
  thisComputerText: 'Try Waxwing now. Invite people on your network later.',
  serverAddress: 'Server address',
  serverAddressText: 'The server your team or friends use',
  serverHint: 'Ask the person who invited you.',
  serverChecking: 'Looking for the server…',
  serverSilent: 'This server isn’t responding. Check the address.',
  serverByList: 'Found {server}. New here? Its administrator has to add your address.',
  invitation: 'Invitation code',
  invitationHint: 'Ask the person who invited you. Leave this empty if you have an account on this server.',
  invitationMalformed: 'A code starts with inv_ and has 47 characters. Check it.',
  serverFound: 'Found {server}',
  serverFoundVersion: 'Found {server}, version {version}',

  // Account
  account: 'Your account',
  accountText: 'Your account is a key that only you have. It needs no phone number and no email address.',
  accountNew: 'Create an account',
  accountNewText: 'You get 12 words that recover it.',
  accountRecover: 'Recover my account',
  accountRecoverText: 'Use your recovery phrase or private key.',
  accountLink: 'Link this computer',
  accountLinkText: 'Link this computer from one where you’re already signed in.',

  // A new account
  phrase: 'Your recovery phrase',
  phraseText:
    'Write these 12 words in order. Anyone with them can use your account. Without them, no one can recover it.',
  phraseList: 'Recovery phrase',
  phraseWritten: 'I wrote them down',
  confirm: 'Check your recovery phrase',
  confirmText: 'Enter these three words from your notes.',
  confirmWord: 'Word {place, number}',
  confirmWrong: 'That isn’t word {place, number}. Check your notes.',
  confirmBack: 'Show the words again',
  confirmAction: 'Confirm phrase',

  // An account that is there already
  recover: 'Recover your account',
  recoverText: 'Enter your recovery phrase or private key. It stays on this computer.',
  recoverField: 'Recovery phrase or private key',
  recoverHint: '12–24 words, or a private key',
  recoverIncomplete: 'This isn’t complete yet.',
  recoverFound: 'Account {address}',
  recoverAction: 'Recover account',
  keep: 'Your other devices',
  keepText:
    'These devices use your account. Clear the ones you lost or don’t recognize: they can’t send or receive anymore.',
  link: 'Link this computer',
  linkText:
    'On your other computer, open Settings > Devices > Link a computer. Enter this computer’s code there.',
  linkShow: 'Show code',
  linkAgain: 'Show new code',
  linkQr: 'QR code of the code below',
  linkCopy: 'Copy code',
  linkWaiting: 'Waiting for the other computer.',
  linkExpires: 'The code expires in {time}.',
  linkExpired: 'This code expired. No one can use it anymore.',
  linkSameServer: 'Choose the same server as on your other computer.',
  join: 'Join as {handle}?',
  joinAddress: 'Join this account?',
  joinText: 'Compare the address with the one on your other computer. If this isn’t your account, cancel.',
  joinLacks:
    'Your messages and files arrive here, newest first, if you chose to send them. Your recovery phrase isn’t copied here.',
  joinAction: 'Join',

  // The history of a recovered account
  restore: 'Restore your messages',
  restoreText: 'If you have a backup, choose it now. You can also do this later in Settings > Storage.',
  restored: 'Your messages are restored',
  restoredText: 'The messages and files of your backup are on this computer now.',
  restoredPartly: 'Your messages are restored in part',
  restoredPartlyText: 'Everything in your backup that Waxwing could use is on this computer now.',
  restoreRunningText:
    'Messages and files arrive on this computer, the newest first. You can continue meanwhile.',
  restoreSkip: 'Continue without a backup',
  restoreNext: 'Continue',

  // Profile
  profile: 'Create your profile',
  profileText: 'People find you by handle. Your name appears next to your messages.',
  handle: 'Handle',
  handleHint: '3–32 characters: a–z, 0–9, _. Start with a letter.',
  handleChecking: 'Checking…',
  handleFree: '{handle} is available.',
  handleMine: '{handle} is yours already.',
  handleTaken: '{handle} is taken.',
  handleReserved: '{handle} is reserved. Choose another.',
  name: 'Name (optional)',
  profileAction: 'Start chatting',
} as const;
