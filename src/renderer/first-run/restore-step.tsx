import { BackupProgress } from '../backup/backup-progress.tsx';
import { RestoreControls } from '../backup/restore-controls.tsx';
import { useRestore } from '../backup/use-restore.ts';
import { useAsk } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { t } from '../words.tsx';
import { StepFrame } from './step-frame.tsx';

/** After the recovery of an account: its history from a backup, if there is one. */
export function RestoreStep({ onNext }: { onNext: () => void }) {
  const restore = useRestore();
  const progress = useAsk('backup.get', {}).data?.progress ?? null;
  return (
    <StepFrame
      actions={
        <Button tone={restore.isDone ? 'primary' : 'quiet'} type="submit">
          {restore.isDone || progress ? t('firstRun.restoreNext') : t('firstRun.restoreSkip')}
        </Button>
      }
      onSubmit={onNext}
      stage={3}
      text={t('firstRun.restoreText')}
      title={t('firstRun.restore')}
    >
      {progress && <BackupProgress progress={progress} />}
      {restore.isDone && !progress ? (
        <p role="status">{t('settings.backupRestored')}</p>
      ) : (
        <RestoreControls disabled={progress !== null} restore={restore} />
      )}
    </StepFrame>
  );
}
