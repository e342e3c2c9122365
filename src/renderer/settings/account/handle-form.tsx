import { useState } from 'react';
import { longest } from '../../../bridge/longest.ts';
import type { Me } from '../../../bridge/shapes/account.ts';
import { useCommand } from '../../bridge.ts';
import { FieldForm } from '../../design/field-form.tsx';
import { toHandle, useHandleCheck } from '../../shared/use-handle-check.ts';
import { t } from '../../words.tsx';

interface HandleFormProps {
  me: Me;
  onSaved: () => void;
}

/** Changes the person's handle, which the relay checks while it is typed. */
export function HandleForm({ me, onSaved }: HandleFormProps) {
  /** Null: the current one, which another own computer may change meanwhile. */
  const [typed, setTyped] = useState<string | null>(null);
  const current = me.handle ?? '';
  const handle = typed ?? current;
  const isChanged = handle.trim() !== current;
  const check = useHandleCheck(isChanged ? handle : '');
  const save = useCommand('profile.save', {
    showsFailure: true,
    onSuccess: (_, { handle: saved }) => {
      // Not a handle that was typed since.
      setTyped((now) => (now?.trim() === saved ? null : now));
      onSaved();
    },
  });
  const note = () => {
    if (save.error) return save.error.message;
    if (!isChanged) return t(save.isSuccess ? 'settings.saved' : 'settings.handleHelp');
    if (!check.maySave || check.tone !== 'good') return check.note;
    return `${check.note} ${t('settings.handleReserved', { handle: `@${current}` })}`;
  };
  return (
    <FieldForm
      action={t('settings.handleSave')}
      autoCapitalize="none"
      busy={save.isPending}
      isChanged={isChanged && check.maySave}
      label={t('firstRun.handle')}
      maxLength={longest.name}
      note={note()}
      noteTone={save.error ? 'problem' : isChanged ? check.tone : 'hint'}
      onSave={() => save.mutate({ handle: handle.trim(), displayName: me.displayName ?? '' })}
      onType={(value) => {
        if (!save.isPending) save.reset();
        setTyped(toHandle(value));
      }}
      prefix="@"
      value={handle}
    />
  );
}
