import type { Settings } from '../../bridge/shapes.ts';
import { useAsk } from '../bridge.ts';
import { SwitchRow } from '../design/setting-rows.tsx';
import { t } from '../words.tsx';

interface BackgroundProps {
  settings: Settings;
  set: (changes: Partial<Settings>) => void;
}

/** Whether the app goes on without its window, and starts by itself. */
export function Background({ settings, set }: BackgroundProps) {
  const { data: desktop } = useAsk('host.desktop', {});
  if (!desktop) return null;
  const { hasTray } = desktop;
  const keeps = settings.keepInTray ?? hasTray;
  return (
    <>
      <SwitchRow
        checked={keeps}
        explanation={explanationOf(keeps, hasTray)}
        label={t('settings.keepRunning')}
        onChange={(keepInTray) => set({ keepInTray })}
      />
      <SwitchRow
        checked={settings.startAtLogin}
        explanation={hasTray ? t('settings.startAtLoginText') : t('settings.startAtLoginWindow')}
        label={t('settings.startAtLogin')}
        onChange={(startAtLogin) => set({ startAtLogin })}
      />
    </>
  );
}

function explanationOf(keeps: boolean, hasTray: boolean): string {
  if (hasTray) return t('settings.keepRunningText');
  return keeps ? t('settings.keepRunningHidden') : t('settings.keepRunningNoTray');
}
