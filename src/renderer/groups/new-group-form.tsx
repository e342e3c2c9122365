import { useState } from 'react';
import { longest } from '../../bridge/longest.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/text-field.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { GroupFields } from './group-fields.tsx';

interface NewGroupFormProps {
  onBack: () => void;
  onDone: () => void;
}

/** Makes a group. */
export function NewGroupForm({ onBack, onDone }: NewGroupFormProps) {
  const { openConversation } = useNavigation();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [password, setPassword] = useState('');
  const create = useCommand('groups.create', {
    tellsFailure: true,
    onSuccess: ({ id }) => {
      onDone();
      openConversation(id);
    },
  });
  return (
    <form
      className="flex flex-col gap-2 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ name, description, password: password === '' ? null : password });
      }}
    >
      <GroupFields
        description={description}
        hint={t('groups.nameText')}
        name={name}
        onDescription={setDescription}
        onName={(typed) => {
          create.reset();
          setName(typed);
        }}
        problem={create.error?.message}
      />
      <TextField
        autoComplete="new-password"
        label={t('groups.passwordOptional')}
        maxLength={longest.groupPassword}
        note={password === '' ? t('groups.passwordNone') : t('groups.passwordLater')}
        onChange={(event) => setPassword(event.target.value)}
        type="password"
        value={password}
      />
      <div className="mt-1 flex justify-end gap-2">
        <Button onClick={onBack}>{t('common.back')}</Button>
        <Button busy={create.isPending} disabled={name.trim() === ''} tone="primary" type="submit">
          {t('groups.create')}
        </Button>
      </div>
    </form>
  );
}
