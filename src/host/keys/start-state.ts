/**
 * What to do about the data key at start, decided from what is there. Pure: nothing is read or written here.
 */

/** What is there. */
export interface StartFacts {
  /** Whether keys.json holds a wrap under a passphrase. */
  passphraseWrap: boolean;
  /** Whether keys.json holds a wrap for who has the recovery phrase. */
  recoveryWrap: boolean;
  /** Names of the key stores that keys.json has wraps for. */
  wrapStores: readonly string[];
  /** Whether database.key is there. */
  plainKey: boolean;
  /** Whether there are messages that only the right key opens. */
  messages: boolean;
  /** Name of this machine's key store; null if it has none that protects anything. */
  store: string | null;
  /** Whether the person has asked for a key without protection. */
  mayBePlain: boolean;
  /** Whether a passphrase was given, to be chosen where none was yet. */
  hasPassphrase: boolean;
}

export type StartStep =
  /** Nothing is there: make a key, and keep it so. */
  | { do: 'make'; keptBy: 'store' | 'plain-file' }
  /** There is no key yet, or only a plain one, and nothing but a passphrase to protect it. */
  | { do: 'choose-passphrase' }
  | { do: 'open'; by: 'store' | 'plain-file' }
  /** Protect a plain key by this machine's key store. */
  | { do: 'wrap-plain-key' }
  | { do: 'ask'; because: AskReason }
  /** There are messages, and nothing that holds their key. */
  | { do: 'refuse' };

/**
 * `passphrase`: the key is under one. The others: no wrap fits the key store that is there, or there is none. With
 * `other-host`, what wrapped the key is the desktop app where this is the browser host, or the other way round: the
 * same key store of the system, of which each host sees its own part.
 */
export type AskReason = 'passphrase' | 'store-changed' | 'store-missing' | 'other-host';

/** Never makes a new key where anything is left that an old one may open. */
export function decideStart(facts: StartFacts): StartStep {
  const { store } = facts;
  if (facts.passphraseWrap) return { do: 'ask', because: 'passphrase' };
  if (store !== null && facts.wrapStores.includes(store)) return { do: 'open', by: 'store' };
  const missing = missingOf(facts);
  // While a plain key is there it is the key: it is removed only after a wrap of it is durable.
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

/** The names of key stores begin with that of the host that uses them: `electron/…`, `keyring/…`. */
function hostOf(store: string): string {
  return store.split('/', 1)[0] ?? store;
}
