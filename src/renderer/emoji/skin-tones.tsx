import { t } from '../words.tsx';
import { type SkinTone, skinTones } from './emoji.ts';

const HANDS = ['✋', '✋🏻', '✋🏼', '✋🏽', '✋🏾', '✋🏿'] as const;
const NAMES = [
  t('emoji.toneNone'),
  t('emoji.toneLight'),
  t('emoji.toneMediumLight'),
  t('emoji.toneMedium'),
  t('emoji.toneMediumDark'),
  t('emoji.toneDark'),
] as const;

/** Chooses the skin tone of the emoji that have one. */
export function SkinTones({ tone, onChange }: { tone: SkinTone; onChange: (tone: SkinTone) => void }) {
  return (
    <select
      aria-label={t('emoji.tone')}
      className="h-9 shrink-0 rounded-control bg-sunken px-1.5 text-message"
      onChange={(event) => onChange(skinTones[event.target.selectedIndex] ?? 0)}
      title={t('emoji.tone')}
      value={tone}
    >
      {skinTones.map((each) => (
        <option aria-label={NAMES[each]} key={each} value={each}>
          {HANDS[each]}
        </option>
      ))}
    </select>
  );
}
