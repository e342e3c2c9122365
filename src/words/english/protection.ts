/** Access to stored data, by the protection of its key. */
export const protection = {
  keychain: 'A copied disk can’t be read. Programs you run can read your messages.',
  passphrase: 'Anyone with this computer must guess your passphrase or recovery phrase.',
  none: 'Anyone with your disk can read your messages.',
} as const;
