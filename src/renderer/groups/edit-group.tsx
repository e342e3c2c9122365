import { Pencil } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import type { GroupDetails } from '../../bridge/shapes/group.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { Dialog } from '../design/dialog.tsx';
import { t } from '../words.tsx';
import { areGroupWords, GroupFields } from './group-fields.tsx';

/** Changes the name and description of a group. */
export function EditGroup({ details }: { details: GroupDetails }) {
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => setIsOpen(true)} size="small">
        <Pencil aria-hidden="true" className="size-3.5" />
        {t('groups.edit')}
      </Button>
      <Dialog initialFocus={field} onClose={() => setIsOpen(false)} open={isOpen} title={t('groups.edit')}>
        <EditForm details={details} field={field} onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

interface EditFormProps {
  details: GroupDetails;
  field: RefObject<HTMLInputElement | null>;
  onDone: () => void;
}

function EditForm({ details, field, onDone }: EditFormProps) {
  const { conversationId, group } = details;
  const [name, setName] = useState(group.name);
  const [description, setDescription] = useState(details.description);
  const change = useCommand('groups.change', { showsFailure: true, onSuccess: onDone });
  const hint = group.verified ? t('groups.nameConfirmed') : t('groups.nameText');
  return (
    <form
      className="flex flex-col gap-2 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ conversationId, name, description });
      }}
    >
      <GroupFields
        description={description}
        field={field}
        hint={hint}
        name={name}
        onDescription={setDescription}
        onName={(typed) => {
          change.reset();
          setName(typed);
        }}
        problem={change.error?.message}
      />
      <ButtonRow className="mt-1">
        <Button onClick={onDone}>{t('common.cancel')}</Button>
        <Button
          busy={change.isPending}
          disabled={!areGroupWords(name, description)}
          tone="primary"
          type="submit"
        >
          {t('groups.editAction')}
        </Button>
      </ButtonRow>
    </form>
  );
}
