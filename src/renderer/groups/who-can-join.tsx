import { useState } from 'react';
import type { GroupDetails } from '../../bridge/shapes/group.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { Dialog, DialogText } from '../design/dialog.tsx';
import { Section } from '../people/details-section.tsx';
import { t } from '../words.tsx';
import { JoinChoice, settingOf } from './join-choice.tsx';

const words = {
  open: 'groups.whoOpen',
  password: 'groups.whoPassword',
  invite: 'groups.whoInvite',
} as const satisfies Record<GroupDetails['group']['join'], string>;

/** The way to join the group; the owner can change it. */
export function WhoCanJoin({ details }: { details: GroupDetails }) {
  const { group } = details;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <Section title={t('groups.who')}>
      <p>{t(words[group.join])}</p>
      {group.isCreator && (
        <>
          <Button className="self-start" onClick={() => setIsOpen(true)} size="small">
            {t('groups.whoChange')}
          </Button>
          <Dialog onClose={close} open={isOpen} title={t('groups.whoChange')}>
            <WhoForm details={details} onDone={close} />
          </Dialog>
        </>
      )}
    </Section>
  );
}

function WhoForm({ details, onDone }: { details: GroupDetails; onDone: () => void }) {
  const { conversationId, group } = details;
  const [draft, setDraft] = useState({ way: group.join, password: '' });
  const change = useCommand('groups.change', { showsFailure: true, onSuccess: onDone });
  const setting = settingOf(draft);
  const isNew = setting !== null && (setting.mode === 'password' || setting.mode !== group.join);
  return (
    <form
      className="flex flex-col gap-3 p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isNew) change.mutate({ conversationId, join: setting });
      }}
    >
      <DialogText className="text-ink-soft">{t('groups.whoChangeText')}</DialogText>
      <JoinChoice
        draft={draft}
        hasPassword={group.join === 'password'}
        onChange={(chosen) => {
          change.reset();
          setDraft(chosen);
        }}
      />
      <p aria-live="polite" className="text-danger-ink empty:hidden">
        {change.error?.message}
      </p>
      <ButtonRow>
        <Button onClick={onDone}>{t('common.cancel')}</Button>
        <Button busy={change.isPending} disabled={!isNew} tone="primary" type="submit">
          {t('groups.editAction')}
        </Button>
      </ButtonRow>
    </form>
  );
}
