import { type ReactNode, useState } from 'react';
import type { GroupConversation } from '../../bridge/shapes/conversation.ts';
import type { GroupDetails } from '../../bridge/shapes/group.ts';
import { callBridge, useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { GroupAvatar } from '../design/conversation-face.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { PictureEditor } from '../faces/picture-editor.tsx';
import { DeleteButton } from '../people/delete-button.tsx';
import { Section } from '../people/details-section.tsx';
import { Disappearing } from '../people/disappearing.tsx';
import { MuteButton } from '../people/mute-button.tsx';
import { conversationSubtitle } from '../shared/conversation.ts';
import { useMayAct } from '../shared/use-shut-out.ts';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { t } from '../words.tsx';
import { AddPeople } from './add-people.tsx';
import { BotTokens } from './bot-tokens.tsx';
import { EditGroup } from './edit-group.tsx';
import { GroupLinks } from './group-links.tsx';
import { InvitedList } from './invited-list.tsx';
import { MemberList } from './member-list.tsx';
import { WhoCanJoin } from './who-can-join.tsx';

/** In milliseconds. */
const LOOK_AGAIN = 8_000;

interface GroupPanelProps {
  conversation: GroupConversation;
  /** The files of its chat. */
  children: ReactNode;
  /** Further actions of a chat. */
  actions: ReactNode;
}

/** Facts about a group, its members, and actions. */
export function GroupPanel({ conversation, children, actions }: GroupPanelProps) {
  const { group, id } = conversation;
  const { data, error, refetch } = useBridgeQuery(
    'groups.details',
    { conversationId: id },
    // The relay does not report arriving and leaving members, so it is asked while the panel is open.
    { refetchInterval: () => LOOK_AGAIN, enabled: group.joined },
  );
  const mayAct = useMayAct();
  const details = data && (mayAct ? data : withoutRights(data));
  return (
    <div className="flex flex-col gap-6 p-5">
      <div className="flex flex-col items-center gap-1 text-center">
        <GroupAvatar group={group} size="large" />
        <bdi className="mt-2 font-semibold text-dialog [overflow-wrap:anywhere]">{group.name}</bdi>
        <span className="flex max-w-full items-center gap-1 text-ink-soft text-meta">
          <code className="truncate font-mono">{group.groupId}</code>
          <CopyButton label={t('groups.copyId')} text={group.groupId} />
        </span>
        <bdi className="text-ink-soft">{conversationSubtitle(conversation)}</bdi>
        {group.verified && <span className="text-ink-soft text-meta">{t('groups.confirmedText')}</span>}
        {details?.description && (
          <p className="mt-2 text-ink-soft [overflow-wrap:anywhere]">{details.description}</p>
        )}
        {details && group.joined && (details.group.isCreator || details.group.isAdmin) && (
          <div className="mt-2 flex flex-wrap justify-center gap-2">
            <EditGroup details={details} />
            <PictureEditor
              hasPicture={group.picture !== null}
              isCentered
              isRound={false}
              onSave={(picture) => callBridge('groups.setPicture', { conversationId: id, picture })}
            />
          </div>
        )}
      </div>
      {/* Members that are shown stay: the panel asks again by itself. */}
      {group.joined && error && !details && (
        <p className="text-ink-soft">
          {error.message}{' '}
          <WhileAccepted>
            <Button onClick={() => void refetch()} size="small">
              {t('common.tryAgain')}
            </Button>
          </WhileAccepted>
        </p>
      )}
      {group.joined && !error && !details && <Skeleton className="h-32" />}
      {children}
      <Disappearing conversation={conversation} />
      {details && group.joined && <Facts details={details} />}
      <div className="flex flex-wrap gap-2">
        {group.joined && <MuteButton conversation={conversation} />}
        {group.joined && mayAct && <LeaveButton conversation={conversation} details={details} />}
        {actions}
        <DeleteButton conversation={conversation} label={t('chat.deleteChat')} />
      </div>
    </div>
  );
}

function Facts({ details }: { details: GroupDetails }) {
  const { group } = details;
  return (
    <>
      <Section title={t('groups.membersTitle')}>
        <MemberList details={details} />
        <InvitedList details={details} />
        {group.isCreator || group.isAdmin ? (
          <AddPeople details={details} />
        ) : (
          <WhileAccepted>
            <p className="text-ink-soft text-meta">{t(invitersOf(details))}</p>
          </WhileAccepted>
        )}
      </Section>
      <WhoCanJoin details={details} />
      {group.isCreator && <GroupLinks details={details} />}
      {group.isCreator && <BotTokens details={details} />}
    </>
  );
}

/** The same for a person who cannot change it: without the rights of owner and admins. */
function withoutRights(details: GroupDetails): GroupDetails {
  return { ...details, group: { ...details.group, isCreator: false, isAdmin: false } };
}

/** Members who can invite people, for those who cannot. */
function invitersOf({ members }: GroupDetails) {
  const [hasOwner, hasAdmins] = [
    members.some((each) => each.isCreator),
    members.some((each) => each.isAdmin),
  ];
  if (hasOwner) return hasAdmins ? 'groups.invitersBoth' : 'groups.invitersOwner';
  return hasAdmins ? 'groups.invitersAdmins' : 'groups.invitersNone';
}

function leaveText(
  { isCreator, memberCount }: GroupConversation['group'],
  details: GroupDetails | undefined,
) {
  if (memberCount === 1) return 'groups.leaveLast';
  if (!isCreator) return 'groups.leaveText';
  const hasAdmins = details?.members.some(({ isAdmin }) => isAdmin) ?? true;
  return hasAdmins ? 'groups.leaveOwner' : 'groups.leaveOwnerAlone';
}

interface LeaveButtonProps {
  conversation: GroupConversation;
  /** Undefined until known. */
  details: GroupDetails | undefined;
}

function LeaveButton({ conversation: { group, id }, details }: LeaveButtonProps) {
  const [asking, setAsking] = useState(false);
  const leave = useCommand('groups.leave');
  return (
    <>
      <Button busy={leave.isPending} onClick={() => setAsking(true)} tone="danger">
        {t('groups.leave')}
      </Button>
      <Confirmation
        action={t('groups.leave')}
        explanation={t(leaveText(group, details))}
        onClose={() => setAsking(false)}
        onConfirm={() => leave.mutate({ conversationId: id })}
        open={asking}
        title={t('groups.leaveTitle', { name: group.name })}
      />
    </>
  );
}
