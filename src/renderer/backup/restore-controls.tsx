import { useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { PassphraseField } from '../lock/passphrase-field.tsx';
import { useFocusReturn } from '../shared/use-focus-return.ts';
import { t } from '../words.tsx';
import type { Restore } from './use-restore.ts';

/** The choice of a backup, and the field for its passphrase. */
export function RestoreControls({ restore, disabled }: { restore: Restore; disabled: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const button = useFocusReturn(restore.needsSecret);
  // The pressed button keeps the focus.
  const isDisabled = (from: 'file' | 'folder') => restore.running !== from && (disabled || restore.isBusy);
  if (!restore.isReady) return null;
  if (restore.needsSecret) return <SecretForm restore={restore} />;
  return (
    <>
      <Button
        busy={restore.running === 'file'}
        className="self-start"
        disabled={isDisabled('file')}
        onClick={() => (restore.opensFilePicker ? input.current?.click() : restore.choose('file'))}
        ref={button}
        size="small"
      >
        {t('settings.backupRestore')}
      </Button>
      {!restore.opensFilePicker && (
        <Button
          busy={restore.running === 'folder'}
          className="self-start"
          disabled={isDisabled('folder')}
          onClick={() => restore.choose('folder')}
          size="small"
        >
          {t('settings.backupRestoreFolder')}
        </Button>
      )}
      <input
        accept=".waxwing-backup"
        aria-label={t('settings.backupFile')}
        className="hidden"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) restore.restoreFile(file);
          // The same file again is a choice, too.
          target.value = '';
        }}
        ref={input}
        tabIndex={-1}
        type="file"
      />
      {restore.problem !== null && (
        <p className="text-danger-ink" role="alert">
          {restore.problem}
        </p>
      )}
    </>
  );
}

function SecretForm({ restore }: { restore: Restore }) {
  const [secret, setSecret] = useState('');
  return (
    <form
      className="flex flex-col gap-3 rounded-menu border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (secret !== '' && !restore.isBusy) restore.unlock(secret);
      }}
    >
      <PassphraseField
        autoFocus
        kind="current"
        label={t('settings.backupSecret')}
        note={restore.problem ?? t('settings.backupSecretHint')}
        noteTone={restore.problem === null ? 'hint' : 'problem'}
        onChange={setSecret}
        value={secret}
      />
      <ButtonRow>
        <Button onClick={restore.cancel} size="small" tone="quiet">
          {t('common.cancel')}
        </Button>
        <Button busy={restore.isBusy} disabled={secret === ''} size="small" tone="primary" type="submit">
          {t('settings.backupRestoreAction')}
        </Button>
      </ButtonRow>
    </form>
  );
}
