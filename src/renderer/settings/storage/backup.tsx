import { useState } from 'react';
import type { Output } from '../../../bridge/contract.ts';
import { BackupProgress } from '../../backup/backup-progress.tsx';
import { RestoreControls } from '../../backup/restore-controls.tsx';
import { useRestore } from '../../backup/use-restore.ts';
import { useAsk, useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { ButtonRow } from '../../design/button-row.tsx';
import { FactList } from '../../design/fact-list.tsx';
import { RadioRow } from '../../design/setting-rows.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { NewPassphraseFields, useNewPassphrase } from '../../lock/new-passphrase.tsx';
import { download } from '../../shared/download.ts';
import { fileSize } from '../../shared/size.ts';
import { fullTime } from '../../shared/time.ts';
import { useFocusReturn } from '../../shared/use-focus-return.ts';
import { failureText, t } from '../../words.tsx';

/** Backups of this computer's history, and the restore of one. */
export function Backup() {
  const { data } = useAsk('backup.get', {});
  if (!data) return <Skeleton className="h-32" />;
  return <Loaded state={data} />;
}

function Loaded({ state }: { state: Output<'backup.get'> }) {
  const [isChoosing, setChoosing] = useState(false);
  const button = useFocusReturn(isChoosing);
  const restore = useRestore();
  const giveUp = useCommand('backup.giveUp');
  const { last, progress, problem, isRestoreOpen, hasPhrase } = state;
  const isIdle = progress === null;
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
        </dd>
      </FactList>
      {progress && <BackupProgress progress={progress} />}
      {problem && isIdle && restore.problem === null && !restore.needsSecret && (
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
        <MakeForm hasPhrase={hasPhrase} onClose={() => setChoosing(false)} />
      ) : (
        <Button
          className="self-start"
          disabled={!isIdle}
          onClick={() => setChoosing(true)}
          ref={button}
          size="small"
        >
          {t('settings.backupNow')}
        </Button>
      )}
      <RestoreControls disabled={!isIdle} restore={restore} />
      {restore.isDone && isIdle && <p role="status">{t('settings.backupRestored')}</p>}
    </div>
  );
}

type Opens = 'phrase' | 'passphrase';

/** The choice of what opens a new backup. */
function MakeForm({ hasPhrase, onClose }: { hasPhrase: boolean; onClose: () => void }) {
  const [opens, setOpens] = useState<Opens>(hasPhrase ? 'phrase' : 'passphrase');
  const me = useAsk('app.state', {}).data?.me;
  const own = [me?.handle, me?.displayName].filter((name) => typeof name === 'string');
  const { value, isReady, fields } = useNewPassphrase(own);
  const make = useCommand('backup.make', {
    showsFailure: true,
    onSuccess: ({ isMade, download: path }) => {
      if (path !== null) download(`${path}?save=1`, '');
      if (isMade) onClose();
    },
  });
  const isComplete = opens === 'phrase' || isReady;
  return (
    <form
      className="flex flex-col gap-3 rounded-menu border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isComplete || make.isPending) return;
        const withPhrase = opens === 'phrase';
        make.mutate({ withPhrase, passphrase: withPhrase ? null : value });
      }}
    >
      {hasPhrase && (
        <RadioRow
          legend={t('settings.backupOpens')}
          onChoose={setOpens}
          options={[
            { value: 'phrase', label: t('settings.backupByPhrase') },
            { value: 'passphrase', label: t('settings.backupByPassphrase') },
          ]}
          value={opens}
        />
      )}
      {opens === 'phrase' ? (
        <p className="text-ink-soft text-meta">{t('settings.backupPhraseText')}</p>
      ) : (
        <>
          <NewPassphraseFields autoFocus={!hasPhrase} label={t('settings.backupPassphrase')} {...fields} />
          <p className="text-ink-soft text-meta">{t('settings.backupPassphraseText')}</p>
        </>
      )}
      {make.error && (
        <p className="text-danger-ink" role="alert">
          {make.error.message}
        </p>
      )}
      <ButtonRow>
        <Button onClick={onClose} size="small" tone="quiet">
          {t('common.cancel')}
        </Button>
        <Button busy={make.isPending} disabled={!isComplete} size="small" tone="primary" type="submit">
          {t('settings.backupAction')}
        </Button>
      </ButtonRow>
    </form>
  );
}
