import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasMoreCharacters, MAX_NAME } from '../../base/names.ts';
import { longest } from '../../bridge/longest.ts';
import { queryKey, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { toHandle, useHandleCheck } from '../shared/use-handle-check.ts';
import { t } from '../words.tsx';
import { StepProblem } from './confirm-phrase-step.tsx';
import { StepFrame } from './step-frame.tsx';

/** The last page of first run: handle and display name for other people. */
export function ProfileStep() {
  const [handle, setHandle] = useState('');
  const [displayName, setDisplayName] = useState('');
  const check = useHandleCheck(handle);
  const client = useQueryClient();
  const save = useCommand('profile.save', {
    showsFailure: true,
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKey('app.state') }),
  });
  const submit = () => save.mutate({ handle: handle.trim(), displayName: displayName.trim() });
  const maySave = check.maySave && !hasMoreCharacters(displayName, MAX_NAME);
  const busy = save.isPending || save.isSuccess;
  return (
    <StepFrame
      actions={
        <Button busy={busy} disabled={!maySave} tone="primary" type="submit">
          {t('firstRun.profileAction')}
        </Button>
      }
      onSubmit={() => maySave && !busy && submit()}
      stage={3}
      text={t('firstRun.profileText')}
      title={t('firstRun.profile')}
    >
      <div className="flex flex-col gap-3">
        <TextField
          autoCapitalize="none"
          label={t('firstRun.handle')}
          maxLength={longest.name}
          note={check.note}
          noteTone={check.tone}
          onChange={(event) => {
            if (save.isError) save.reset();
            setHandle(toHandle(event.target.value));
          }}
          prefix="@"
          value={handle}
        />
        <TextField
          label={t('firstRun.name')}
          maxLength={longest.name}
          most={MAX_NAME}
          note=""
          onChange={(event) => setDisplayName(event.target.value)}
          value={displayName}
        />
      </div>
      <StepProblem sentence={save.error?.message ?? null} />
    </StepFrame>
  );
}
