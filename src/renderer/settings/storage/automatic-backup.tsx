import { type RefObject, useState } from 'react';
import type { Output } from '../../../bridge/contract.ts';
import { SecretForm } from '../../backup/secret-form.tsx';
import { useCommand } from '../../bridge.ts';
import { Button } from '../../design/button.tsx';
import { FactList } from '../../design/fact-list.tsx';
import { fullTime } from '../../shared/time.ts';
import { useFocusReturn } from '../../shared/use-focus-return.ts';
import { failureText, t } from '../../words.tsx';

type State = Output<'backup.get'>;
type Folder = NonNullable<State['folder']>;

/** Daily backups in a folder of the person's choice. */
export function AutomaticBackup({ state: { folder, hasPhrase, progress } }: { state: State }) {
  const [isChoosing, setChoosing] = useState(false);
  const isIdle = progress === null;
  // The focus is on a button that is replaced, or in the form.
  const choice = useFocusReturn(isChoosing || folder !== null);
  const actions = useFocusReturn(isChoosing || folder === null);
  const choose = useCommand('backup.chooseFolder', {
    showsFailure: true,
    onSuccess: ({ isChosen }) => isChosen && setChoosing(false),
  });
  return (
    <section aria-label={t('settings.backupAutomatic')} className="mt-3 flex flex-col gap-3">
      <h5 className="font-semibold text-secondary">{t('settings.backupAutomatic')}</h5>
      <p className="text-ink-soft text-meta">{t('settings.backupAutomaticText')}</p>
      {folder && <Facts folder={folder} isIdle={isIdle} />}
      {isChoosing ? (
        <SecretForm
          action={t('settings.backupFolderAction')}
          command={choose}
          hasPhrase={hasPhrase}
          onClose={() => setChoosing(false)}
        />
      ) : folder ? (
        <Actions button={actions} isIdle={isIdle} onChoose={() => setChoosing(true)} />
      ) : (
        <Button
          className="self-start"
          onClick={() => setChoosing(true)}
          paused={!isIdle}
          ref={choice}
          size="small"
        >
          {t('settings.backupFolderChoose')}
        </Button>
      )}
    </section>
  );
}

function Facts({ folder: { path, at, problem }, isIdle }: { folder: Folder; isIdle: boolean }) {
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
      {problem && isIdle && (
        <p className="text-danger-ink" role="status">
          {failureText(problem)}
        </p>
      )}
    </>
  );
}

interface ActionsProps {
  /** Opens the form again. Gets the focus of the form, and of the button that it replaces. */
  button: RefObject<HTMLButtonElement | null>;
  isIdle: boolean;
  /** Opens the form for another folder. */
  onChoose: () => void;
}

function Actions({ button, isIdle, onChoose }: ActionsProps) {
  const now = useCommand('backup.folderNow');
  const end = useCommand('backup.folderEnd');
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => now.mutate({})} paused={!isIdle} size="small">
        {t('settings.backupFolderNow')}
      </Button>
      <Button onClick={onChoose} paused={!isIdle} ref={button} size="small">
        {t('settings.backupFolderOther')}
      </Button>
      <Button busy={end.isPending} onClick={() => end.mutate({})} size="small" tone="quiet">
        {t('settings.backupFolderEnd')}
      </Button>
    </div>
  );
}
