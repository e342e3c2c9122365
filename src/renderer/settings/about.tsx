/** The version, and updates. */
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Mark } from '../design/mark.tsx';
import { RadioRow, SwitchRow } from '../design/setting-rows.tsx';
import { updateText } from '../shared/update-text.ts';
import { t } from '../words.tsx';
import type { SettingProps } from './entry.ts';

const channels = [
  { value: 'stable', label: t('settings.releasesStable') },
  { value: 'beta', label: t('settings.releasesBeta') },
] as const;

/** The version of the app. */
export function Version({ host }: SettingProps) {
  return (
    <p className="flex items-center gap-3 font-semibold">
      <Mark size={28} />
      {t('settings.aboutVersion', { version: host.version })}
    </p>
  );
}

/** Updates of the app. A page in a browser is as new as the program that serves it. */
export function Updates({ settings, set }: SettingProps) {
  const { data: state } = useBridgeQuery('updates.state', {});
  const check = useCommand('updates.check');
  if (!state) return null;
  const isBusy = check.isPending || state.phase === 'checking' || state.phase === 'downloading';
  return (
    <>
      <RadioRow
        legend={t('settings.releases')}
        onChoose={(updateChannel) => set({ updateChannel })}
        options={channels}
        value={settings.updateChannel}
      />
      <SwitchRow
        checked={settings.checkForUpdates}
        explanation={state.installs ? t('settings.updatesText') : t('settings.updatesTextManual')}
        label={t('settings.updates')}
        onChange={(checkForUpdates) => set({ checkForUpdates })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={isBusy} onClick={() => check.mutate({})} size="small">
          {t('settings.updatesCheck')}
        </Button>
        <p className="text-ink-soft text-secondary" role="status">
          {updateText(state)}
        </p>
      </div>
    </>
  );
}
