import { useBridgeQuery } from '../bridge.ts';
import { SwitchRow } from '../design/setting-rows.tsx';
import { t } from '../words.tsx';
import type { SettingProps } from './entry.ts';

/** Setting for running without a window. */
export function KeepRunning({ settings, set }: SettingProps) {
  const { data: desktop } = useBridgeQuery('host.desktop', {});
  if (!desktop) return null;
  const { hasTray } = desktop;
  const keeps = settings.keepInTray ?? hasTray;
  return (
    <SwitchRow
      checked={keeps}
      explanation={explanationOf(keeps, hasTray)}
      label={t('settings.keepRunning')}
      onChange={(keepInTray) => set({ keepInTray })}
    />
  );
}

/** Setting for starting at login. */
export function StartAtLogin({ settings, set }: SettingProps) {
  const { data: desktop } = useBridgeQuery('host.desktop', {});
  if (!desktop) return null;
  return (
    <SwitchRow
      checked={settings.startAtLogin}
      explanation={desktop.hasTray ? t('settings.startAtLoginText') : t('settings.startAtLoginWindow')}
      label={t('settings.startAtLogin')}
      onChange={(startAtLogin) => set({ startAtLogin })}
    />
  );
}

function explanationOf(keeps: boolean, hasTray: boolean): string {
  if (hasTray) return t('settings.keepRunningText');
  return keeps ? t('settings.keepRunningHidden') : t('settings.keepRunningNoTray');
}
