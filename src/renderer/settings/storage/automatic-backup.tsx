import { useState } from 'react';
import type { Output } from '../../../bridge/contract.ts';
import { SecretForm } from '../../backup/secret-form.tsx';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { FactList } from '../../design/fact-list.tsx';
import { fullTime } from '../../shared/time.ts';
import { useFocusReturn } from '../../shared/use-focus-return.ts';
import { failureText, t } from '../../words.tsx';

type State = Output<'backup.get'>;

/** Daily backups in a folder of the person's choice. */
export function AutomaticBackup({ state }: { state: State }) {
  const { folder } = state;
  return (
    <section aria-label={t('settings.backupAutomatic')} className="mt-3 flex flex-col gap-3">
      <h5 className="font-semibold text-secondary">{t('settings.backupAutomatic')}</h5>
      <p className="text-ink-soft text-meta">{t('settings.backupAutomaticText')}</p>
      {folder ? <Chosen folder={folder} isIdle={state.progress === null} /> : <Choice {...state} />}
    </section>
  );
}

function Choice({ hasPhrase, progress }: State) {
  const [isChoosing, setChoosing] = useState(false);
  const button = useFocusReturn(isChoosing);
  const choose = useCommand('backup.chooseFolder', {
    showsFailure: true,
    onSuccess: ({ isChosen }) => isChosen && setChoosing(false),
  });
  if (isChoosing)
    return (
      <SecretForm
        action={t('settings.backupFolderAction')}
        command={choose}
        hasPhrase={hasPhrase}
        onClose={() => setChoosing(false)}
      />
    );
  return (
    <Button
      className="self-start"
      disabled={progress !== null}
      onClick={() => setChoosing(true)}
      ref={button}
      size="small"
    >
      {t('settings.backupFolderChoose')}
    </Button>
  );
}

function Chosen({ folder, isIdle }: { folder: NonNullable<State['folder']>; isIdle: boolean }) {
  const { path, at, problem } = folder;
  const now = useCommand('backup.folderNow');
  const end = useCommand('backup.folderEnd');
  return (
    <>
      <FactList>
        <dt className="text-ink-soft">{t('settings.backupFolder')}</dt>
        <dd className="wrap-anywhere">
          <bdi>{path}</bdi>
        </dd>
        <dt className="text-ink-soft">{t('settings.backupFolderLast')}</dt>
        <dd>{at === null ? t('settings.backupFolderNone') : fullTime(at)}</dd>
      </FactList>
      {problem && isIdle && <p role="status">{failureText(problem)}</p>}
      <div className="flex flex-wrap gap-2">
        <Button disabled={!isIdle} onClick={() => now.mutate({})} size="small">
          {t('settings.backupFolderNow')}
        </Button>
        <Button busy={end.isPending} onClick={() => end.mutate({})} size="small" tone="quiet">
          {t('settings.backupFolderEnd')}
        </Button>
      </div>
    </>
  );
}
