/**
 * What can honestly be said about a passphrase while it is typed. Only its length is judged, and whether it repeats
 * itself: whether others would think of it first, no program knows.
 */
import { t } from '../words.tsx';

const SHORTEST = 8;

export interface PassphraseStrength {
  /** Whether it may be chosen. */
  isEnough: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

export function passphraseStrength(passphrase: string): PassphraseStrength {
  const characters = [...passphrase];
  const missing = SHORTEST - characters.length;
  if (characters.length === 0)
    return { isEnough: false, note: t('lock.shortest', { count: SHORTEST }), tone: 'hint' };
  if (missing > 0) {
    return { isEnough: false, note: t('lock.missing', { count: missing }), tone: 'hint' };
  }
  if (new Set(characters).size < 5) {
    return { isEnough: true, note: t('lock.repetitive'), tone: 'problem' };
  }
  if (characters.length < 12) {
    return { isEnough: true, note: t('lock.weak'), tone: 'problem' };
  }
  if (characters.length < 20) {
    return { isEnough: true, note: t('lock.fair'), tone: 'hint' };
  }
  return { isEnough: true, note: t('lock.strong'), tone: 'good' };
}
