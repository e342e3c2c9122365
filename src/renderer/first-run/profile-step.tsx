import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasMoreCharacters, MAX_NAME } from '../../base/names.ts';
import { longest } from '../../bridge/longest.ts';
import { queryKey, useAsk, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { useDebounced } from '../shared/use-debounced.ts';
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
          // Handles are lower case only: typed capitals are converted.
          onChange={(event) => setHandle(event.target.value.replace(/^@/, '').toLowerCase())}
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

interface HandleCheck {
  maySave: boolean;
  note: string;
  tone: 'hint' | 'good' | 'problem';
}

/** If the relay does not answer, saving is still possible: it checks again. */
function useHandleCheck(typed: string): HandleCheck {
  const wanted = typed.trim();
  const handle = useDebounced(wanted);
  const { data, error } = useAsk('handle.check', { handle }, { enabled: handle !== '' });
  if (wanted === '') return { maySave: false, note: t('firstRun.handleHint'), tone: 'hint' };
  if (handle !== wanted || (!data && !error)) {
    return { maySave: false, note: t('firstRun.handleChecking'), tone: 'hint' };
  }
  if (!data) return { maySave: true, note: error?.message ?? '', tone: 'problem' };
  const named = { handle: `@${handle}` };
  switch (data.status) {
    case 'free':
      return { maySave: true, note: t('firstRun.handleFree', named), tone: 'good' };
    case 'mine':
      return { maySave: true, note: t('firstRun.handleMine', named), tone: 'good' };
    case 'taken':
      return { maySave: false, note: t('firstRun.handleTaken', named), tone: 'problem' };
    case 'reserved':
      return { maySave: false, note: t('firstRun.handleReserved', named), tone: 'problem' };
    case 'invalid':
      return { maySave: false, note: t('firstRun.handleHint'), tone: 'problem' };
  }
}
