import { useState } from 'react';
import type { GroupConversation, GroupDetails } from '../../bridge/shapes.ts';
import { useAsk, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { GroupAvatar } from '../design/conversation-face.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { DeleteButton } from '../people/delete-button.tsx';
import { Section } from '../people/details-section.tsx';
import { MuteButton } from '../people/mute-button.tsx';
import { conversationSubtitle } from '../shared/conversation.ts';
import { AddPeople } from './add-people.tsx';
import { BotTokens } from './bot-tokens.tsx';
import { EditGroup } from './edit-group.tsx';
import { GroupPassword } from './group-password.tsx';
import { InvitedList } from './invited-list.tsx';
import { MemberList } from './member-list.tsx';

/** In milliseconds. */
const LOOK_AGAIN = 8_000;

/** What a group is, who is in it, and what can be done about it. */
export function GroupPanel({ conversation }: { conversation: GroupConversation }) {
  const { group, id } = conversation;
  const {
    data: details,
    error,
    refetch,
  } = useAsk(
    'groups.details',
    { conversationId: id },
    // The relay tells nobody who comes and goes: while one looks, it is asked.
    { askAgain: () => LOOK_AGAIN },
  );
  return (
    <div className="flex flex-col gap-6 p-5">
      <div className="flex flex-col items-center gap-1 text-center">
        <GroupAvatar group={group} size="large" />
        <bdi className="mt-2 font-semibold text-lg [overflow-wrap:anywhere]">{group.name}</bdi>
        <span className="flex max-w-full items-center gap-1 text-ink-soft text-xs">
          <code className="truncate font-mono">{group.groupId}</code>
          <CopyButton label="Copy group id" text={group.groupId} />
        </span>
        <span className="text-ink-soft">{conversationSubtitle(conversation)}</span>
        {group.verified && (
          <span className="text-ink-soft text-xs">The relay’s operator confirmed this group</span>
        )}
        {details?.description && (
          <p className="mt-2 text-ink-soft leading-relaxed [overflow-wrap:anywhere]">{details.description}</p>
        )}
        {details && group.joined && group.isCreator && <EditGroup details={details} />}
      </div>
      {error && (
        <p className="text-ink-soft">
          {error.message}{' '}
          <Button onClick={() => void refetch()} size="small">
            Try again
          </Button>
        </p>
      )}
      {!error && !details && <Skeleton className="h-32" />}
      {details && group.joined && <Facts details={details} />}
      <div className="flex flex-wrap gap-2">
        {group.joined && <MuteButton conversation={conversation} />}
        {group.joined && <LeaveButton conversation={conversation} />}
        <DeleteButton conversation={conversation} label="Delete conversation" />
      </div>
    </div>
  );
}

function Facts({ details }: { details: GroupDetails }) {
  const { group } = details;
  return (
    <>
      <Section title="Members">
        <MemberList details={details} />
        <InvitedList details={details} />
        {group.isCreator ? (
          <AddPeople details={details} />
        ) : (
          <p className="text-ink-soft text-xs">Only the person who made the group can invite others.</p>
        )}
      </Section>
      {group.isCreator && <GroupPassword details={details} />}
      {group.isCreator && <BotTokens details={details} />}
    </>
  );
}

function LeaveButton({ conversation: { group, id } }: { conversation: GroupConversation }) {
  const [asking, setAsking] = useState(false);
  const leave = useCommand('groups.leave');
  return (
    <>
      <Button busy={leave.isPending} onClick={() => setAsking(true)} tone="danger">
        Leave group
      </Button>
      <Confirmation
        action="Leave group"
        explanation={
          group.isCreator
            ? 'You made this group. When you leave, its bot tokens end, and nobody can change it or remove members any more.'
            : 'You get nothing new from this group. What was said stays on this device.'
        }
        onClose={() => setAsking(false)}
        onConfirm={() => leave.mutate({ conversationId: id })}
        open={asking}
        title={`Leave ${group.name}?`}
      />
    </>
  );
}
