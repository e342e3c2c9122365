/**
 * How the key is protected on this machine, in plain words, for the person whose messages it opens.
 */
import type { KeyProtection } from '../../bridge/shapes.ts';
import type { KeyHolder } from './data-key.ts';
import type { KeyStore } from './key-store.ts';

/** @param holder null while nothing is there yet */
export function protectionOf(holder: KeyHolder | null, store: KeyStore | null): KeyProtection {
  switch (holder) {
    case 'passphrase':
      return {
        kind: 'passphrase',
        sentence:
          'Your messages are encrypted on this computer. Their key opens with your passphrase, or your recovery phrase, and with nothing else: whoever takes the computer or its disk has to guess one of them.',
      };
    case 'plain-file':
      return {
        kind: 'file',
        sentence:
          'Your messages are encrypted on this computer, but their key is in a file beside them without protection: whoever can use your account, or has a copy of your disk that is not encrypted, can read them.',
      };
    default:
      return {
        kind: 'os-key-store',
        sentence: `Your messages are encrypted on this computer. Their key is kept by ${store?.keeper ?? 'the key store of another desktop'}, which opens it while you are logged in: programs that you run can read them, a copy of the disk alone cannot be read.`,
      };
  }
}
