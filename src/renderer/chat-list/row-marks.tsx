import { AtSign, BellOff, Pin } from 'lucide-react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { DeliveryMark } from '../chat/message-state.tsx';
import { classNames } from '../design/class-names.ts';
import { badgeCount } from '../shared/count.ts';
import { t } from '../words.tsx';

/** Marks at the end of a row, always in this order: not sent, mentioned, unread, pinned, muted. */
export function RowMarks({ conversation }: { conversation: Conversation }) {
  const { failed, unread, unreadMentions, markedUnread, pinned, mutedUntil } = conversation;
  const isMuted = mutedUntil !== null;
  return (
    <span className="flex shrink-0 items-center gap-1.5 empty:hidden" data-marks>
      {failed > 0 && <DeliveryMark delivery="failed" />}
      {unreadMentions > 0 && (
        <span className={classNames('grid size-5 shrink-0 place-items-center rounded-full', tone(isMuted))}>
          <AtSign aria-label={t('chats.mentioned')} className="size-3.5" role="img" strokeWidth={2.4} />
        </span>
      )}
      <UnreadMark conversation={conversation} />
      {unread > 0 && <span className="sr-only">{t('chats.unread', { count: unread })}</span>}
      {markedUnread && unread === 0 && <span className="sr-only">{t('chats.markedUnread')}</span>}
      {pinned && <Pin aria-label={t('chats.pinned')} className={icon} role="img" />}
      {isMuted && <BellOff aria-label={t('chats.muted')} className={icon} role="img" />}
    </span>
  );
}

const icon = 'size-3.5 shrink-0 text-ink-soft';

/** The number of unread messages; a dot if the person has marked it unread. Visual only. */
export function UnreadMark({ conversation }: { conversation: Conversation }) {
  const { unread, markedUnread, mutedUntil } = conversation;
  if (unread > 0) return <CountMark count={unread} isMuted={mutedUntil !== null} />;
  return (
    markedUnread && (
      <span
        aria-hidden="true"
        className={classNames('size-2.5 shrink-0 rounded-full', dotTone(mutedUntil !== null))}
      />
    )
  );
}

/** A number in a rounded mark. Visual only. */
export function CountMark({ count, isMuted }: { count: number; isMuted: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'shrink-0 rounded-full px-1.5 py-px font-semibold text-meta tabular-nums',
        tone(isMuted),
      )}
    >
      {badgeCount(count)}
    </span>
  );
}

function tone(isMuted: boolean): string {
  return isMuted
    ? 'bg-sunken text-ink-soft'
    : 'bg-unread text-on-unread forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]';
}

/** A muted dot has the color that the words would have. */
function dotTone(isMuted: boolean): string {
  return classNames('block', isMuted ? 'bg-ink-soft' : 'bg-unread', 'forced-colors:bg-[Highlight]');
}
