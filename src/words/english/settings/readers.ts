/** Texts about the access of others to data. */
export const readers = {
  readers: 'Who can read what',
  findReaders: 'encryption, security, server, what others see',
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
} as const;
