import { RadioRow } from '../design/setting-rows.tsx';
import { t } from '../words.tsx';
import type { SettingProps } from './entry.ts';

const keys = [
  { value: 'enter', label: t('settings.sendWithEnter') },
  { value: 'mod-enter', label: t('settings.sendWithMod') },
] as const;

/** Which key sends a message. */
export function SendWith({ settings, set }: SettingProps) {
  return (
    <RadioRow
      legend={t('settings.sendWith')}
      onChoose={(sendWith) => set({ sendWith })}
      options={keys}
      value={settings.sendWith}
    />
  );
}
