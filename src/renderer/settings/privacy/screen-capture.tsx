import { SwitchRow } from '../../design/setting-rows.tsx';
import { t } from '../../words.tsx';
import type { SettingProps, SettingsFacts } from '../entry.ts';

/** Limits of the switch, by Node's names of systems. Others do not support it. */
const limits: Readonly<Record<string, string>> = {
  darwin: t('settings.screenshotsMac'),
  win32: t('settings.screenshotsWindows'),
};

/** Reports whether the system can exclude the window. */
export function canHideFromScreenshots({ host }: SettingsFacts): boolean {
  return host.kind === 'electron' && host.platform in limits;
}

/** Setting for excluding the window from screenshots and shared screens. */
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
