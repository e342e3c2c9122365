import { useState } from 'react';
import { BackupProgress } from '../backup/backup-progress.tsx';
import { RestoreControls } from '../backup/restore-controls.tsx';
import { Restored } from '../backup/restored.tsx';
import { type Restore, useRestore } from '../backup/use-restore.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { PassphraseField } from '../lock/passphrase-field.tsx';
import { useFocusReturn } from '../shared/use-focus-return.ts';
import { t } from '../words.tsx';
import { StepFrame } from './step-frame.tsx';

const WHOLE = { title: 'firstRun.restored', text: 'firstRun.restoredText' } as const;
/** Records of the backup were left out. */
const PARTLY = { title: 'firstRun.restoredPartly', text: 'firstRun.restoredPartlyText' } as const;

/** After the recovery of an account: its history from a backup, if there is one. */
export function RestoreStep({ onNext }: { onNext: () => void }) {
  const restore = useRestore();
  const progress = useBridgeQuery('backup.get', {}).data?.progress ?? null;
  const restored = progress ? null : restore.restored;
  const isDone = restored !== null;
  const done = restored && restored.leftOut > 0 ? PARTLY : WHOLE;
  const button = useFocusReturn(!isDone);
  const [secret, setSecret] = useState('');
  // Another backup has another passphrase.
  if (!restore.needsSecret && secret !== '') setSecret('');
  if (restore.needsSecret && !progress)
    return <SecretStep restore={restore} secret={secret} setSecret={setSecret} />;
  return (
    <StepFrame
      actions={
        <Button ref={button} tone={isDone ? 'primary' : 'quiet'} type="submit">
          {isDone || progress ? t('firstRun.restoreNext') : t('firstRun.restoreSkip')}
        </Button>
      }
      onSubmit={onNext}
      stage={3}
      text={t(restored ? done.text : progress ? 'firstRun.restoreRunningText' : 'firstRun.restoreText')}
      title={t(restored ? done.title : 'firstRun.restore')}
    >
      {progress && (
        <div className="mb-4">
          <BackupProgress progress={progress} />
        </div>
      )}
      {restored && <Restored {...restored} />}
      {!isDone && !restore.needsSecret && (
        <div className="flex flex-col gap-3">
          <RestoreControls disabled={progress !== null} restore={restore} />
        </div>
      )}
    </StepFrame>
  );
}

interface SecretStepProps {
  restore: Restore;
  secret: string;
  setSecret: (secret: string) => void;
}

/** The passphrase of a backup that the recovered phrase does not open. */
function SecretStep({ restore, secret, setSecret }: SecretStepProps) {
  return (
    <StepFrame
      actions={
        <Button busy={restore.isBusy} disabled={secret === ''} tone="primary" type="submit">
          {t('settings.backupRestoreAction')}
        </Button>
      }
      onBack={restore.isBusy ? undefined : restore.cancel}
      onSubmit={() => secret !== '' && !restore.isBusy && restore.unlock(secret)}
      stage={3}
      text={t('settings.backupSecretHint')}
      title={t('firstRun.restore')}
    >
      <PassphraseField
        autoFocus
        kind="current"
        label={t('settings.backupSecret')}
        note={restore.problem}
        noteTone="problem"
        onChange={setSecret}
        value={secret}
      />
    </StepFrame>
  );
}
