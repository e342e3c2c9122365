import { useId } from 'react';
import { textSizes } from '../../bridge/setting-bounds.ts';
import { RadioRow } from '../design/setting-rows.tsx';
import { locale } from '../locale.ts';
import { t } from '../words.tsx';
import type { SettingProps } from './entry.ts';

const themes = [
  { value: 'system', label: t('settings.themeSystem') },
  { value: 'light', label: t('settings.themeLight') },
  { value: 'dark', label: t('settings.themeDark') },
] as const;

export function Theme({ settings, set }: SettingProps) {
  return (
    <RadioRow
      legend={t('settings.theme')}
      onChoose={(theme) => set({ theme })}
      options={themes}
      value={settings.theme}
    />
  );
}

const percent = new Intl.NumberFormat(locale, { style: 'percent' });

export function TextSize({ settings, set }: SettingProps) {
  const id = useId();
  const shown = percent.format(settings.textSize / 100);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex justify-between gap-4">
        <label htmlFor={id}>{t('settings.textSize')}</label>
        <output className="text-ink-soft tabular-nums" htmlFor={id}>
          {shown}
        </output>
      </div>
      <input
        aria-valuetext={shown}
        className="h-7 w-full accent-accent"
        id={id}
        max={textSizes.length - 1}
        min={0}
        onChange={({ target }) => {
          const textSize = textSizes[Number(target.value)];
          if (textSize !== undefined) set({ textSize });
        }}
        type="range"
        value={textSizes.indexOf(settings.textSize)}
      />
    </div>
  );
}

const densities = [
  { value: 'comfortable', label: t('settings.densityComfortable') },
  { value: 'compact', label: t('settings.densityCompact') },
] as const;

export function Density({ settings, set }: SettingProps) {
  return (
    <RadioRow
      legend={t('settings.density')}
      onChoose={(density) => set({ density })}
      options={densities}
      value={settings.density}
    />
  );
}
