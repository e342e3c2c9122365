import { X } from 'lucide-react';
import { useId } from 'react';
import { useBridgeQuery } from '../bridge.ts';
import { SwitchRow } from '../design/setting-rows.tsx';
import { t } from '../words.tsx';
import type { SettingProps, SettingsFacts } from './entry.ts';

/** As in the schema of the settings: each language has its dictionary in memory. */
const MAX_LANGUAGES = 5;

/** A browser checks spelling by its own settings. */
export const checksSpelling = ({ host }: SettingsFacts) => host.kind === 'electron';

/** Setting for checking spelling, and its languages. */
export function Spelling({ host, settings, set }: SettingProps) {
  const isMac = host.platform === 'darwin';
  const isOn = settings.spellCheck ?? isMac;
  return (
    <div className="flex flex-col gap-3">
      <SwitchRow
        checked={isOn}
        explanation={isMac ? t('settings.spellingMac') : t('settings.spellingText')}
        label={t('settings.spelling')}
        onChange={(spellCheck) => set({ spellCheck })}
      />
      {isOn && !isMac && (
        <Languages
          chosen={settings.spellCheckLanguages}
          onChange={(spellCheckLanguages) => set({ spellCheckLanguages })}
        />
      )}
    </div>
  );
}

interface LanguagesProps {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function Languages({ chosen, onChange }: LanguagesProps) {
  const { data: desktop } = useBridgeQuery('host.desktop', {});
  const id = useId();
  const isFull = chosen.length >= MAX_LANGUAGES;
  const others = (desktop?.dictionaries ?? [])
    .filter((language) => !chosen.includes(language))
    .map((language) => ({ language, name: nameOf(language) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <div className="flex flex-col gap-2">
      <p className="text-ink-soft text-secondary" id={id}>
        {t('settings.spellingLanguages')}
      </p>
      {chosen.length === 0 ? (
        <p>{t('settings.spellingOfSystem')}</p>
      ) : (
        <ul aria-labelledby={id} className="flex flex-wrap gap-2">
          {chosen.map((language) => (
            <li
              className="flex items-center gap-1 rounded-control border border-line-strong bg-raised ps-3"
              key={language}
            >
              {nameOf(language)}
              <button
                aria-label={t('settings.spellingRemove', { language: nameOf(language) })}
                className="grid size-8 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
                onClick={() => onChange(chosen.filter((each) => each !== language))}
                type="button"
              >
                <X aria-hidden="true" className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <select
        aria-label={t('settings.spellingAdd')}
        className="h-9 max-w-full self-start rounded-control border border-line-strong bg-raised px-2 disabled:opacity-50"
        disabled={isFull}
        onChange={({ target }) => onChange([...chosen, target.value])}
        value=""
      >
        <option disabled value="">
          {isFull ? t('settings.spellingFull', { count: MAX_LANGUAGES }) : t('settings.spellingAdd')}
        </option>
        {others.map(({ language, name }) => (
          <option key={language} value={language}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

const names = new Intl.DisplayNames(document.documentElement.lang, { type: 'language' });

/** The display name: British English for `en-GB`. */
function nameOf(language: string): string {
  return names.of(language) ?? language;
}
