/** App lock: unlocking, choosing a passphrase, recovery, trouble with the keychain. */
export const lock = {} as const;
