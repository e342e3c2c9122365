import { BellOff } from 'lucide-react';
import type { Conversation } from '../../bridge/shapes.ts';
import { plainText } from '../conversation/markdown.ts';
import { MessageStateIcon } from '../conversation/message-state.tsx';
import { classNames } from '../design/class-names.ts';
import { ConversationFace } from '../design/conversation-face.tsx';
import { authorName } from '../people/author-name.ts';
import { conversationName } from '../shared/conversation.ts';
import { badgeCount } from '../shared/count.ts';
import { listTime } from '../shared/time.ts';
import { t, textOfGist } from '../words.tsx';

interface ConversationRowProps {
  conversation: Conversation;
  isCurrent: boolean;
  isTabStop: boolean;
  now: number;
  onOpen: () => void;
  onFocus: () => void;
  /** A message request among other chats. */
  isFoundRequest?: boolean;
}

export function ConversationRow({
  conversation,
  isCurrent,
  isTabStop,
  now,
  onOpen,
  onFocus,
  isFoundRequest = false,
}: ConversationRowProps) {
  const { last, unread } = conversation;
  const muted = conversation.mutedUntil !== null;
  const isUnread = unread > 0;
  return (
    <button
      aria-current={isCurrent || undefined}
      className={classNames(
        'group relative flex w-full items-center gap-3 min-h-16 rounded-menu p-2.5 text-start rail:justify-center rail:gap-0 rail:px-0 compact:min-h-12 compact:py-1 transition-colors duration-75 -outline-offset-2',
        isCurrent
          ? 'bg-selection forced-colors:outline-2 forced-colors:outline-[Highlight] forced-colors:-outline-offset-2'
          : 'hover:bg-sunken',
      )}
      data-row
      onClick={onOpen}
      onFocus={onFocus}
      tabIndex={isTabStop ? 0 : -1}
      type="button"
    >
      {isCurrent && (
        <span
          aria-hidden="true"
          className="absolute inset-y-4 inset-s-0 w-[3px] rounded-full bg-accent forced-colors:bg-[Highlight]"
        />
      )}
      <ConversationFace conversation={conversation} size="row" />
      {isUnread && (
        <span
          aria-hidden="true"
          className={classNames('absolute inset-e-0 top-1 hidden rail:block', badge, badgeTone(muted))}
        >
          {badgeCount(unread)}
        </span>
      )}
      <span className="min-w-0 flex-1 rail:sr-only">
        <span className="flex items-baseline gap-2">
          <bdi
            className={classNames(
              'min-w-0 flex-1 truncate text-interface',
              isUnread ? 'font-bold' : 'font-semibold',
            )}
          >
            {conversationName(conversation)}
          </bdi>
          {last && (
            <time
              className={classNames(
                'shrink-0 text-meta tabular-nums',
                isUnread && !muted ? 'font-semibold text-ink' : 'text-ink-soft',
              )}
              dateTime={new Date(last.at).toISOString()}
            >
              <bdi>{listTime(last.at, now)}</bdi>
            </time>
          )}
        </span>
        <span className="flex min-h-5 items-center gap-1.5">
          <Preview conversation={conversation} />
          {isFoundRequest && (
            <span className="shrink-0 rounded-chip bg-sunken px-1.5 text-ink-soft text-meta">
              {t('chats.request')}
            </span>
          )}
          {muted && (
            <BellOff aria-label={t('chats.muted')} className="size-3.5 shrink-0 text-ink-soft" role="img" />
          )}
          {isUnread && (
            <span className={classNames('shrink-0', badge, badgeTone(muted))}>
              <span aria-hidden="true">{badgeCount(unread)}</span>
              <span className="sr-only">{t('chats.unread', { count: unread })}</span>
            </span>
          )}
        </span>
      </span>
    </button>
  );
}

const badge = 'rounded-full px-1.5 py-px font-semibold text-meta tabular-nums';

function badgeTone(muted: boolean): string {
  return muted
    ? 'bg-sunken text-ink-soft'
    : 'bg-unread text-on-unread forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]';
}

/** The draft, else the last message, on one line. */
function Preview({ conversation: { draft, kind, last, unread } }: { conversation: Conversation }) {
  const text = 'min-w-0 flex-1 truncate';
  if (draft.trim()) {
    return (
      <span className={classNames(text, 'text-ink-soft')}>
        <span className="font-semibold text-accent-ink">{t('chats.draft')}</span> <bdi>{draft}</bdi>
      </span>
    );
  }
  if (!last) return <span className={classNames(text, 'text-ink-soft')}>{t('chats.noMessages')}</span>;
  return (
    <>
      {last.outgoing && <MessageStateIcon delivery={last.delivery} state={last.state} />}
      <bdi className={classNames(text, unread > 0 ? 'font-medium' : 'text-ink-soft')}>
        {kind === 'group' && !last.outgoing
          ? t('chats.preview', {
              author: authorName(last.author, last.bot),
              text: plainText(textOfGist(last.gist)),
            })
          : plainText(textOfGist(last.gist))}
      </bdi>
    </>
  );
}
