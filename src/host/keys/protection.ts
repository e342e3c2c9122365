/** The key's protection on this machine, for the interface. */
import type { KeyProtection } from '../../bridge/shapes/lock-state.ts';
import type { KeyHolder } from './data-key.ts';

/** @param holder null before there is a key */
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
