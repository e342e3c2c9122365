import { useId } from 'react';
import type { Output } from '../../bridge/contract.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { t } from '../words.tsx';

type Progress = NonNullable<Output<'backup.get'>['progress']>;

const names = {
  making: t('settings.backupMaking'),
  verifying: t('settings.backupVerifying'),
  checking: t('settings.backupChecking'),
  restoring: t('settings.backupRestoring'),
} as const satisfies Record<Progress['is'], string>;

/** The progress of a backup or restore, and its end by the person. */
export function BackupProgress({ progress }: { progress: Progress }) {
  const id = useId();
  const stop = useCommand('backup.stop');
  const { is, done, total } = progress;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="min-w-0 flex-1 basis-52">
        <p id={id} role="status">
          {names[is]}
        </p>
        <progress
          aria-labelledby={id}
          className="h-2 w-full accent-accent"
          max={Math.max(1, total)}
          value={Math.min(done, total)}
        />
      </div>
      <Button busy={stop.isPending} onClick={() => stop.mutate({})} size="small">
        {t('settings.backupStop')}
      </Button>
    </div>
  );
}
