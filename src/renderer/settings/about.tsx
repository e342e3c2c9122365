/**
 * Which version this is, and how it gets newer.
 */
import { useAsk, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { RadioRow, SwitchRow } from '../design/setting-rows.tsx';
import { updateWords } from '../shared/update-words.ts';
import { t } from '../words.tsx';

const channels = [
  { value: 'stable', label: t('settings.releasesStable') },
  { value: 'beta', label: t('settings.releasesBeta') },
] as const;

export function About({ version }: { version: string }) {
  const { data: settings } = useAsk('settings.get', {});
  const { data: state } = useAsk('updates.state', {});
  const save = useCommand('settings.set');
  const check = useCommand('updates.check');
  if (!settings || !state) return null;
  const isBusy = check.isPending || state.phase === 'checking' || state.phase === 'downloading';
  return (
    <>
      <p className="text-secondary">{t('settings.aboutVersion', { version })}</p>
      <RadioRow
        legend={t('settings.releases')}
        onChoose={(updateChannel) => save.mutate({ updateChannel })}
        options={channels}
        value={settings.updateChannel}
      />
      <SwitchRow
        checked={settings.checkForUpdates}
        explanation={state.installs ? t('settings.updatesText') : t('settings.updatesTextTold')}
        label={t('settings.updates')}
        onChange={(checkForUpdates) => save.mutate({ checkForUpdates })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={isBusy} onClick={() => check.mutate({})} size="small">
          {t('settings.updatesCheck')}
        </Button>
        <p className="text-secondary text-ink-soft" role="status">
          {updateWords(state)}
        </p>
      </div>
    </>
  );
}
