/**
 * How the key is protected on this machine, for the interface to say.
 */
import type { KeyProtection } from '../../bridge/shapes.ts';
import type { KeyHolder } from './data-key.ts';

/** @param holder null while nothing is there yet */
export function protectionOf(holder: KeyHolder | null): KeyProtection {
  switch (holder) {
    case 'passphrase':
      return { kind: 'passphrase' };
    case 'plain-file':
      return { kind: 'file' };
    default:
      return { kind: 'os-key-store' };
  }
}
