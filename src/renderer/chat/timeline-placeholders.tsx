import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { classNames } from '../design/class-names.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { LoadingAnnouncement } from '../shared/announcements.tsx';
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
  return (
    <div className="m-auto min-h-24 max-w-full overflow-y-auto">
      <TimelineStart conversation={conversation} />
    </div>
  );
}
