/** Feedback on a passphrase during typing: whether Waxwing's rule accepts it, and its length. */
import { type PassphraseFault, passphraseFault, SHORTEST_PASSPHRASE } from '../../base/passphrase-rule.ts';
import { t } from '../words.tsx';

export interface PassphraseStrength {
  /** True if it is acceptable. */
  isEnough: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

const refusals: Readonly<Record<Exclude<PassphraseFault, 'short'>, string>> = {
  repeated: t('lock.repetitive'),
  sequence: t('lock.sequence'),
  common: t('lock.common'),
  own_name: t('lock.ownName'),
};

/** @param own handle and name of the person, if known */
export function passphraseStrength(passphrase: string, own: readonly string[] = []): PassphraseStrength {
  const { length } = [...passphrase];
  const fault = passphraseFault(passphrase, own);
  if (fault === 'short') {
    const count = SHORTEST_PASSPHRASE - length;
    const note = length === 0 ? t('lock.shortest', { count }) : t('lock.missing', { count });
    return { isEnough: false, note, tone: 'hint' };
  }
  if (fault !== null) return { isEnough: false, note: refusals[fault], tone: 'problem' };
  if (length < 12) return { isEnough: true, note: t('lock.weak'), tone: 'problem' };
  if (length < 20) return { isEnough: true, note: t('lock.fair'), tone: 'hint' };
  return { isEnough: true, note: t('lock.strong'), tone: 'good' };
}
