/**
 * What can honestly be said about a passphrase while it is typed. Only its length is judged, and whether it repeats
 * itself: whether others would think of it first, no program knows.
 */

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
    return { isEnough: false, note: `At least ${SHORTEST} characters.`, tone: 'hint' };
  if (missing > 0) {
    return {
      isEnough: false,
      note: missing === 1 ? 'One more character.' : `${missing} more characters.`,
      tone: 'hint',
    };
  }
  if (new Set(characters).size < 5) {
    return { isEnough: true, note: 'It repeats itself: that is guessed at once.', tone: 'problem' };
  }
  if (characters.length < 12) {
    return {
      isEnough: true,
      note: 'Short: whoever has a copy of your disk may guess it in days.',
      tone: 'problem',
    };
  }
  if (characters.length < 20) {
    return { isEnough: true, note: 'Fair, if it is no saying, name or date.', tone: 'hint' };
  }
  return { isEnough: true, note: 'Long: good, if nobody else has ever written it.', tone: 'good' };
}
