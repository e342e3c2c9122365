import { SwitchRow } from '../../design/setting-rows.tsx';
import { t } from '../../words.tsx';
import type { SettingProps, SettingsFacts } from '../entry.ts';

/** What the switch does not do, by the names that Node gives to systems. Others cannot do it at all. */
const limits: Readonly<Record<string, string>> = {
  darwin: t('settings.screenshotsMac'),
  win32: t('settings.screenshotsWindows'),
};

/** Whether the system can be asked to leave the window out. */
export function canHideFromScreenshots({ host }: SettingsFacts): boolean {
  return host.kind === 'electron' && host.platform in limits;
}

/** Whether the window is left out of screenshots and shared screens. */
export function ScreenCapture({ host, settings, set }: SettingProps) {
  return (
    <SwitchRow
      checked={settings.contentProtection}
      explanation={limits[host.platform] ?? ''}
      label={t('settings.screenshots')}
      onChange={(contentProtection) => set({ contentProtection })}
    />
  );
}
