import type { Conversation, GroupConversation } from '../../bridge/shapes/conversation.ts';
import { useBridgeQuery } from '../bridge.ts';
import { classNames } from '../design/class-names.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { AddPeople } from '../groups/add-people.tsx';
import { LoadingAnnouncement } from '../shared/announcements.tsx';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';
import { TimelineStart } from './timeline-start.tsx';

const bubbles = ['w-64', 'w-44', 'ms-auto w-72', 'w-80', 'ms-auto w-36', 'ms-auto w-56'];

export function TimelineSkeleton() {
  return (
    <div
      aria-busy="true"
      className="mx-auto flex min-h-0 w-full max-w-[54rem] flex-1 flex-col justify-end gap-2 overflow-hidden px-3 py-4 sm:px-6"
    >
      <LoadingAnnouncement text={t('chat.messagesLoading')} />
      {bubbles.map((place) => (
        <Skeleton className={classNames('h-10 max-w-[80%] rounded-bubble', place)} key={place} />
      ))}
    </div>
  );
}

export function EmptyTimeline({ conversation }: { conversation: Conversation }) {
  const mayAct = useMayAct();
  return (
    <div className="m-auto min-h-24 max-w-full overflow-y-auto">
      <TimelineStart conversation={conversation} />
      {mayAct && isOwnAlone(conversation) && <AddFirst conversation={conversation} />}
    </div>
  );
}

/** Reports whether this is a group of the person, without other members. */
function isOwnAlone(conversation: Conversation): conversation is GroupConversation {
  if (conversation.kind !== 'group') return false;
  const { joined, isCreator, isAdmin, memberCount } = conversation.group;
  return joined && (isCreator || isAdmin) && memberCount === 1;
}

/** The next step in a new group. */
function AddFirst({ conversation }: { conversation: GroupConversation }) {
  const { data: details, isLoading } = useBridgeQuery('groups.details', { conversationId: conversation.id });
  return (
    <div className="flex justify-center p-1 pb-4">
      {isLoading && <Skeleton className="h-8 w-32" />}
      {details && <AddPeople details={details} />}
    </div>
  );
}
