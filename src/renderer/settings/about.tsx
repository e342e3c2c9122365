/**
 * Which version this is, and how it gets newer.
 */
import { useAsk, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { updateWords } from '../shared/update-words.ts';
import { RadioRow, SwitchRow } from './setting-rows.tsx';

const channels = [
  { value: 'stable', label: 'Stable' },
  { value: 'beta', label: 'Beta' },
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
      <p className="text-[0.8125rem]">This is Waxwing {version}.</p>
      <RadioRow
        legend="Releases"
        onChoose={(updateChannel) => save.mutate({ updateChannel })}
        options={channels}
        value={settings.updateChannel}
      />
      <SwitchRow
        checked={settings.checkForUpdates}
        explanation="A few times a day. A new version is installed when you quit."
        label="Look for new versions by itself"
        onChange={(checkForUpdates) => save.mutate({ checkForUpdates })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={isBusy} onClick={() => check.mutate({})} size="small">
          Check now
        </Button>
        <p className="text-[0.8125rem] text-ink-soft" role="status">
          {updateWords(state)}
        </p>
      </div>
    </>
  );
}
