import { ShieldAlert, UserCheck } from 'lucide-react';
import { useState } from 'react';
import type { GroupConversation, Person } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { personName } from '../shared/person.ts';

interface MemberProps {
  conversationId: string;
  person: Person;
}

/** Says that the relay shows a person as a member again, who left or was removed before. One person at a time. */
export function ReturnedBanner({ conversation: { id, group } }: { conversation: GroupConversation }) {
  const [person] = group.unconfirmed;
  if (!person) return null;
  return (
    <section
      aria-label="Back in the group"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-tail-soft px-4 py-2.5"
    >
      <ShieldAlert aria-hidden="true" className="size-5 shrink-0 text-tail-ink" />
      <p className="min-w-48 flex-1">
        The server says <bdi className="font-semibold">{personName(person)}</bdi> is back.{' '}
        {group.isCreator ? <OwnersAdvice person={person} /> : 'Ask the owner.'} Until you confirm it,{' '}
        <bdi>{personName(person)}</bdi> can’t read what you write here.
      </p>
      <div className="flex flex-wrap gap-1">
        {group.isCreator && <RemoveAgain conversationId={id} person={person} />}
        <SendAgain conversationId={id} key={person.address} person={person} />
      </div>
    </section>
  );
}

function OwnersAdvice({ person }: { person: Person }) {
  return (
    <>
      If you didn’t let <bdi>{personName(person)}</bdi> in again, remove <bdi>{personName(person)}</bdi>.
    </>
  );
}

/** Cut where a button would grow wider than a narrow window. */
function ShortName({ person }: { person: Person }) {
  return <bdi className="max-w-32 truncate">{personName(person)}</bdi>;
}

function RemoveAgain({ conversationId, person }: MemberProps) {
  const remove = useCommand('groups.removeMember');
  return (
    <Button
      busy={remove.isPending}
      onClick={() => remove.mutate({ conversationId, address: person.address })}
      size="small"
      tone="quiet"
    >
      Remove <ShortName person={person} />
    </Button>
  );
}

function SendAgain(member: MemberProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)} size="small">
        Send to <ShortName person={member.person} /> again
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
        label={`Send to ${personName(member.person)} again`}
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
      action="Send again"
      explanation={`${name} left this group or was removed. From now on ${name} can read what you write here. Earlier messages are not sent again.`}
      onClose={onClose}
      onConfirm={() => confirm.mutate({ conversationId, address: person.address })}
      open={open}
      title={`Is ${name} a member again?`}
    />
  );
}
