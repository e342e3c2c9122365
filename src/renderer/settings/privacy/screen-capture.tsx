import { useAsk, useCommand } from '../../bridge.ts';
import { SwitchRow } from '../setting-rows.tsx';

/** What the switch does not do, by the names that Node gives to systems. Others cannot do it at all. */
const limits: Readonly<Record<string, string>> = {
  darwin:
    'The window is left out of older ways to capture a screen. Newer programs for macOS record it all the same, and so does a camera.',
  win32:
    'Screenshots and shared screens show nothing of it, or black. A camera still sees it, and so does whoever is connected by Remote Desktop.',
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
      label="Keep Waxwing out of screenshots"
      onChange={(contentProtection) => save.mutate({ contentProtection })}
    />
  );
}
