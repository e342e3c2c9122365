import { ShieldAlert, UserCheck } from 'lucide-react';
import { useState } from 'react';
import type { GroupConversation, Person } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Banner } from '../shared/banner.tsx';
import { personName } from '../shared/person.ts';
import { rich, t } from '../words.tsx';

interface MemberProps {
  conversationId: string;
  person: Person;
}

/** Says that the relay shows a person as a member again, who left or was removed before. One person at a time. */
export function ReturnedBanner({ conversation: { id, group } }: { conversation: GroupConversation }) {
  const [person] = group.unconfirmed;
  if (!person) return null;
  return (
    <Banner
      icon={ShieldAlert}
      label={t('groups.back')}
      text={rich(group.isCreator ? 'groups.backOwner' : 'groups.backMember', { name: personName(person) })}
      tone="notice"
    >
      <div className="flex flex-wrap gap-1">
        {group.isCreator && <RemoveAgain conversationId={id} person={person} />}
        <SendAgain conversationId={id} key={person.address} person={person} />
      </div>
    </Banner>
  );
}

/** Cuts the name in a button that would grow wider than a narrow window. */
const shortName = '[&_bdi]:max-w-32 [&_bdi]:truncate';

function RemoveAgain({ conversationId, person }: MemberProps) {
  const remove = useCommand('groups.removeMember');
  return (
    <Button
      busy={remove.isPending}
      className={shortName}
      onClick={() => remove.mutate({ conversationId, address: person.address })}
      size="small"
      tone="quiet"
    >
      <span>{rich('groups.backRemove', { name: personName(person) })}</span>
    </Button>
  );
}

function SendAgain(member: MemberProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button className={shortName} onClick={() => setAsking(true)} size="small">
        <span>{rich('groups.backSend', { name: personName(member.person) })}</span>
      </Button>
      <Question {...member} onClose={() => setAsking(false)} open={asking} />
    </>
  );
}

/** The same choice in the list of members. */
export function SendAgainIcon(member: MemberProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <IconButton
        icon={UserCheck}
        label={t('groups.backSendTo', { name: personName(member.person) })}
        onClick={() => setAsking(true)}
      />
      <Question {...member} onClose={() => setAsking(false)} open={asking} />
    </>
  );
}

function Question({
  conversationId,
  person,
  open,
  onClose,
}: MemberProps & { open: boolean; onClose: () => void }) {
  const confirm = useCommand('groups.confirmMember');
  const name = personName(person);
  return (
    <Confirmation
      action={t('groups.backAction')}
      explanation={t('groups.backText', { name })}
      onClose={onClose}
      onConfirm={() => confirm.mutate({ conversationId, address: person.address })}
      open={open}
      title={t('groups.backTitle', { name })}
    />
  );
}
