/** Decides on the data key at start, from the existing files. Pure: nothing is read or written here. */

/** The existing files and options. */
export interface StartFacts {
  /** True if keys.json has a wrap under a passphrase. */
  passphraseWrap: boolean;
  /** True if keys.json has a wrap under the recovery phrase. */
  recoveryWrap: boolean;
  /** Names of the key stores with wraps in keys.json. */
  wrapStores: readonly string[];
  /** True if database.key exists. */
  plainKey: boolean;
  /** True if there are messages that require the original key. */
  messages: boolean;
  /** Name of this machine's key store; null without a protecting one. */
  store: string | null;
  /** True if the person has requested a key without protection. */
  mayBePlain: boolean;
  /** True if the person has set a first passphrase for this folder. */
  hasPassphrase: boolean;
}

export type StartStep =
  /** New folder: create a key, and store it so. */
  | { do: 'make'; keptBy: 'store' | 'plain-file' }
  /** No key yet, or only a plain one, and only a passphrase can protect it. */
  | { do: 'choose-passphrase' }
  | { do: 'open'; by: 'store' | 'plain-file' }
  /** Protect a plain key by this machine's key store. */
  | { do: 'wrap-plain-key' }
  | { do: 'ask'; because: AskReason }
  /** There are messages, but no key. */
  | { do: 'refuse' };

/**
 * `passphrase`: the key is protected by one. The others: no wrap fits the current key store, or there is
 * none. With `other-host` the desktop app wrapped the key and this is the browser host, or vice versa: each
 * host has its own part of the system's key store.
 */
export type AskReason = 'passphrase' | 'store-changed' | 'store-missing' | 'other-host';

/** Never creates a key while data exists that an old one may open. */
export function decideStart(facts: StartFacts): StartStep {
  const { store } = facts;
  if (facts.passphraseWrap) return { do: 'ask', because: 'passphrase' };
  if (store !== null && facts.wrapStores.includes(store)) return { do: 'open', by: 'store' };
  const missing = missingOf(facts);
  // An existing plain key is the key: it is removed only after a wrap of it is durable.
  if (facts.plainKey) {
    if (facts.hasPassphrase) return { do: 'choose-passphrase' };
    if (facts.mayBePlain) return { do: 'open', by: 'plain-file' };
    return store === null ? { do: 'choose-passphrase' } : { do: 'wrap-plain-key' };
  }
  if (facts.wrapStores.length > 0 || facts.recoveryWrap) return { do: 'ask', because: missing };
  if (facts.messages) return { do: 'refuse' };
  if (facts.hasPassphrase) return { do: 'choose-passphrase' };
  if (facts.mayBePlain) return { do: 'make', keptBy: 'plain-file' };
  return store === null ? { do: 'choose-passphrase' } : { do: 'make', keptBy: 'store' };
}

function missingOf({ store, wrapStores }: StartFacts): AskReason {
  if (store === null) return 'store-missing';
  const isOfOtherHost = wrapStores.length > 0 && wrapStores.every((name) => hostOf(name) !== hostOf(store));
  return isOfOtherHost ? 'other-host' : 'store-changed';
}

/** Names of key stores begin with their host: `electron/…`, `keyring/…`. */
function hostOf(store: string): string {
  return store.split('/', 1)[0] ?? store;
}
