import { expect, test } from 'vitest';
import {
  type AskReason,
  decideStart,
  type StartFacts,
  type StartStep,
} from '../../../../src/host/keys/start-state.ts';

const NOTHING: StartFacts = {
  passphraseWrap: false,
  recoveryWrap: false,
  wrapStores: [],
  plainKey: false,
  messages: false,
  store: null,
  mayBePlain: false,
  hasPassphrase: false,
};
const STORE = 'electron/gnome_libsecret';
const OTHER = 'electron/kwallet6';

const choose: StartStep = { do: 'choose-passphrase' };
const ask = (because: AskReason): StartStep => ({
  do: 'ask',
  because,
});

test.each<[string, Partial<StartFacts>, StartStep]>([
  ['nothing, with a key store', { store: STORE }, { do: 'make', keptBy: 'store' }],
  ['nothing, without one', {}, choose],
  ['nothing, and a plain key is allowed', { mayBePlain: true }, { do: 'make', keptBy: 'plain-file' }],
  ['nothing, and a passphrase was given', { store: STORE, mayBePlain: true, hasPassphrase: true }, choose],
  ['messages without a key', { messages: true, store: STORE }, { do: 'refuse' }],
  [
    'messages without a key, and a plain key is allowed',
    { messages: true, mayBePlain: true },
    { do: 'refuse' },
  ],
  ['a wrap of this key store', { wrapStores: [STORE], store: STORE }, { do: 'open', by: 'store' }],
  [
    'wraps of two, one of them here',
    { wrapStores: [OTHER, STORE], store: STORE },
    { do: 'open', by: 'store' },
  ],
  [
    'a wrap that the other host made',
    { wrapStores: [OTHER, STORE], store: 'keyring/linux' },
    ask('other-host'),
  ],
  [
    'a wrap of the other host, and one of this host under another key store',
    { wrapStores: ['keyring/linux', OTHER], store: STORE },
    ask('store-changed'),
  ],
  ['a wrap of another key store', { wrapStores: [OTHER], store: STORE }, ask('store-changed')],
  ['a wrap, and no key store', { wrapStores: [STORE] }, ask('store-missing')],
  [
    'a wrap, no key store, a passphrase given',
    { wrapStores: [STORE], hasPassphrase: true },
    ask('store-missing'),
  ],
  ['a passphrase', { passphraseWrap: true, store: STORE }, ask('passphrase')],
  [
    'a passphrase beside a wrap',
    { passphraseWrap: true, wrapStores: [STORE], store: STORE },
    ask('passphrase'),
  ],
  ['the recovery phrase alone', { recoveryWrap: true, store: STORE, messages: true }, ask('store-changed')],
  ['a plain key, and a key store', { plainKey: true, store: STORE }, { do: 'wrap-plain-key' }],
  ['a plain key, and none', { plainKey: true, messages: true }, choose],
  [
    'a plain key that is allowed',
    { plainKey: true, mayBePlain: true, store: STORE },
    { do: 'open', by: 'plain-file' },
  ],
  ['a plain key, a passphrase given', { plainKey: true, mayBePlain: true, hasPassphrase: true }, choose],
  [
    'a plain key that was wrapped before a crash',
    { plainKey: true, wrapStores: [STORE], store: STORE },
    { do: 'open', by: 'store' },
  ],
  ['a plain key beside a passphrase', { plainKey: true, passphraseWrap: true }, ask('passphrase')],
])('with %s', (_what, facts, step) => {
  expect(decideStart({ ...NOTHING, ...facts })).toEqual(step);
});

test('creates a new key only if nothing exists', () => {
  const flags = ['passphraseWrap', 'recoveryWrap', 'plainKey', 'messages'] as const;
  let made = 0;
  for (let bits = 0; bits < 2 ** flags.length; bits++) {
    const there = Object.fromEntries(flags.map((flag, index) => [flag, (bits & (1 << index)) !== 0]));
    for (const wrapStores of [[], [STORE], [OTHER]]) {
      for (const store of [null, STORE]) {
        for (const mayBePlain of [false, true]) {
          for (const hasPassphrase of [false, true]) {
            const step = decideStart({ ...NOTHING, ...there, wrapStores, store, mayBePlain, hasPassphrase });
            // A new passphrase wraps the plain key, if there is one.
            const makesKey =
              step.do === 'make' || (step.do === 'choose-passphrase' && there.plainKey === false);
            if (!makesKey) continue;
            made += 1;
            expect([bits, wrapStores]).toEqual([0, []]);
          }
        }
      }
    }
  }
  expect(made).toBe(8);
});
