import { type RefObject, useState } from 'react';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { t } from '../words.tsx';
import { areGroupWords, GroupFields } from './group-fields.tsx';
import { JoinChoice, type JoinDraft, settingOf } from './join-choice.tsx';

interface NewGroupFormProps {
  /** For a dialog that begins at the name. */
  nameField?: RefObject<HTMLInputElement | null>;
  onBack: () => void;
  onDone: () => void;
}

/** Creates a group. */
export function NewGroupForm({ nameField, onBack, onDone }: NewGroupFormProps) {
  const { openConversation } = useNavigation();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  // The narrowest way by default: strangers could read the members' messages.
  const [draft, setDraft] = useState<JoinDraft>({ way: 'invite', password: '' });
  const join = settingOf(draft);
  const create = useCommand('groups.create', {
    showsFailure: true,
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
        if (join) create.mutate({ name, description, join });
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
        {...(nameField && { field: nameField })}
      />
      <JoinChoice
        draft={draft}
        hasPassword={false}
        onChange={(chosen) => {
          create.reset();
          setDraft(chosen);
        }}
      />
      <ButtonRow className="mt-1">
        <Button onClick={onBack}>{t('common.back')}</Button>
        <Button
          busy={create.isPending}
          disabled={!areGroupWords(name, description) || !join}
          tone="primary"
          type="submit"
        >
          {t('groups.create')}
        </Button>
      </ButtonRow>
    </form>
  );
}
