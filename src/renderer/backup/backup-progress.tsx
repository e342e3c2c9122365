import type { Output } from '../../bridge/contract.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Progress } from '../design/progress.tsx';
import { t } from '../words.tsx';

type BackupWork = NonNullable<Output<'backup.get'>['progress']>;

const names = {
  making: t('settings.backupMaking'),
  verifying: t('settings.backupVerifying'),
  checking: t('settings.backupChecking'),
  restoring: t('settings.backupRestoring'),
} as const satisfies Record<BackupWork['is'], string>;

/** The progress of a backup or restore, and its end by the person. */
export function BackupProgress({ progress: { is, done, total } }: { progress: BackupWork }) {
  const stop = useCommand('backup.stop');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-52 flex-col gap-1.5">
        <p role="status">{names[is]}</p>
        <div className="flex">
          <Progress done={done} label={names[is]} total={total} />
        </div>
      </div>
      <Button busy={stop.isPending} onClick={() => stop.mutate({})} size="small">
        {t('settings.backupStop')}
      </Button>
    </div>
  );
}
