import { useState } from 'react';
import type { Output } from '../../../bridge/contract.ts';
import { BackupProgress } from '../../backup/backup-progress.tsx';
import { RestoreControls } from '../../backup/restore-controls.tsx';
import { Restored } from '../../backup/restored.tsx';
import { SecretForm } from '../../backup/secret-form.tsx';
import { useRestore } from '../../backup/use-restore.ts';
import { useBridgeQuery, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { FactList } from '../../design/fact-list.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { download } from '../../shared/download.ts';
import { fileSize } from '../../shared/size.ts';
import { fullTime } from '../../shared/time.ts';
import { useFocusReturn } from '../../shared/use-focus-return.ts';
import { failureText, t } from '../../words.tsx';
import { AutomaticBackup } from './automatic-backup.tsx';

/** Backups of this computer's history, and the restore of one. */
export function Backup() {
  const { data } = useBridgeQuery('backup.get', {});
  if (!data) return <Skeleton className="h-32" />;
  return <Loaded state={data} />;
}

function Loaded({ state }: { state: Output<'backup.get'> }) {
  const [isChoosing, setChoosing] = useState(false);
  const button = useFocusReturn(isChoosing);
  const restore = useRestore();
  const giveUp = useCommand('backup.giveUp');
  const make = useCommand('backup.make', {
    showsFailure: true,
    onSuccess: ({ isMade, download: path }) => {
      if (path !== null) download(`${path}?save=1`, '');
      if (isMade) setChoosing(false);
    },
  });
  const { last, progress, problem, isRestoreOpen, hasPhrase, resumed } = state;
  const isIdle = progress === null;
  const restored = restore.restored ?? resumed;
  // The form shows the same sentence.
  const isFormFailed = isChoosing && make.error !== null;
  return (
    <div className="flex flex-col gap-3">
      <h4 className="font-semibold">{t('settings.backup')}</h4>
      <p className="text-ink-soft text-meta">{t('settings.backupText')}</p>
      <FactList>
        <dt className="text-ink-soft">{t('settings.backupLast')}</dt>
        <dd>
          {last
            ? t('settings.backupLastFacts', { time: fullTime(last.at), size: fileSize(last.bytes) })
            : t('settings.backupNone')}
          {last && last.missingFiles > 0 && (
            <p className="text-danger-ink">
              {t('settings.backupMissingFiles', { count: last.missingFiles })}
            </p>
          )}
        </dd>
      </FactList>
      {progress && <BackupProgress progress={progress} />}
      {problem && isIdle && restore.problem === null && !restore.needsSecret && !isFormFailed && (
        <p className="text-danger-ink" role="alert">
          {failureText(problem)}
        </p>
      )}
      {isRestoreOpen && isIdle && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="min-w-0 flex-1 basis-52">{t('settings.backupOpen')}</p>
          <Button busy={giveUp.isPending} onClick={() => giveUp.mutate({})} size="small">
            {t('settings.backupGiveUp')}
          </Button>
        </div>
      )}
      {isChoosing ? (
        <SecretForm
          action={t('settings.backupAction')}
          command={make}
          hasPhrase={hasPhrase}
          onClose={() => setChoosing(false)}
        />
      ) : (
        <Button
          className="self-start"
          onClick={() => setChoosing(true)}
          // The end of the work may be known only after the form is gone.
          paused={!isIdle}
          ref={button}
          size="small"
        >
          {t('settings.backupNow')}
        </Button>
      )}
      <RestoreControls disabled={!isIdle} restore={restore} />
      {restored && isIdle && <Restored {...restored} />}
      {restore.isReady && !restore.opensFilePicker && <AutomaticBackup state={state} />}
    </div>
  );
}
