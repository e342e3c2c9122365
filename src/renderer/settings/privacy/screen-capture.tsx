import { useAsk, useCommand } from '../../bridge.ts';
import { SwitchRow } from '../../design/setting-rows.tsx';
import { t } from '../../words.tsx';

/** What the switch does not do, by the names that Node gives to systems. Others cannot do it at all. */
const limits: Readonly<Record<string, string>> = {
  darwin: t('settings.screenshotsMac'),
  win32: t('settings.screenshotsWindows'),
};

/** Whether the window is left out of screenshots and shared screens, where the system can be asked for that. */
export function ScreenCapture() {
  const { data: host } = useAsk('host.info', {});
  const { data: settings } = useAsk('settings.get', {});
  const save = useCommand('settings.set');
  const limit = host?.kind === 'electron' ? limits[host.platform] : undefined;
  if (!settings || limit === undefined) return null;
  return (
    <SwitchRow
      checked={settings.contentProtection}
      explanation={limit}
      label={t('settings.screenshots')}
      onChange={(contentProtection) => save.mutate({ contentProtection })}
    />
  );
}
