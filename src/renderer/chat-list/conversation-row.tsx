import type { MouseEvent } from 'react';
import { plainText } from '../../base/markdown/words.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { DeliveryMark, MessageStateIcon } from '../chat/message-state.tsx';
import { classNames } from '../design/class-names.ts';
import { ConversationFace } from '../design/conversation-face.tsx';
import { authorName } from '../people/author-name.ts';
import { ConversationNameLine } from '../people/conversation-name-line.tsx';
import { canWriteIn, conversationName, conversationSubtitle } from '../shared/conversation.ts';
import { listTime } from '../shared/time.ts';
import { summaryText, t } from '../words.tsx';
import { isUnread } from './filter.ts';
import { RowMarks, UnreadMark } from './row-marks.tsx';

interface ConversationRowProps {
  conversation: Conversation;
  isCurrent: boolean;
  isTabStop: boolean;
  /** Its position in the whole list: the virtual one renders only a few rows. */
  place: { position: number; of: number };
  now: number;
  onOpen: () => void;
  onFocus: () => void;
  onMenu: (press: MouseEvent) => void;
  /** A message request among other chats. */
  isFoundRequest?: boolean;
}

export function ConversationRow({
  conversation,
  isCurrent,
  isTabStop,
  place,
  now,
  onOpen,
  onFocus,
  onMenu,
  isFoundRequest = false,
}: ConversationRowProps) {
  const { last } = conversation;
  const name = conversationName(conversation);
  const muted = conversation.mutedUntil !== null;
  const hasUnread = isUnread(conversation);
  const nameClass = classNames(
    'min-w-0 flex-[1_1_4.5rem] text-interface',
    hasUnread ? 'font-bold' : 'font-semibold',
  );
  return (
    <button
      // Not `aria-selected`: screen readers follow the selection of a list and leave the composer that has the focus.
      aria-current={isCurrent ? 'true' : undefined}
      aria-posinset={place.position}
      aria-setsize={place.of}
      className={classNames(
        // virtua ignores the pointer until 150 ms after a scroll, and would lose a click.
        'pointer-events-auto group relative flex w-full items-center gap-3 min-h-16 rounded-menu p-2.5 text-start rail:justify-center rail:gap-0 rail:px-0 compact:min-h-12 compact:py-1 transition-colors duration-75 -outline-offset-2',
        isCurrent
          ? 'bg-selection forced-colors:outline-2 forced-colors:outline-[Highlight] forced-colors:-outline-offset-2'
          : 'hover:bg-sunken',
      )}
      data-row={conversation.id}
      onClick={onOpen}
      onContextMenu={onMenu}
      onFocus={onFocus}
      role="option"
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
      <span aria-hidden="true" className="absolute inset-e-0 top-1 hidden rail:block">
        <UnreadMark conversation={conversation} />
      </span>
      {conversation.failed > 0 && (
        <span
          aria-hidden="true"
          className="absolute inset-e-1 bottom-1 hidden rounded-full bg-surface rail:block"
        >
          <DeliveryMark delivery="failed" />
        </span>
      )}
      <span className="min-w-0 flex-1 rail:sr-only">
        {/* With large text in a narrow list, the time and the marks are below the words. */}
        <span className="flex flex-wrap items-baseline justify-end gap-x-2">
          {name === conversationSubtitle(conversation) ? (
            // A shortened address is not shortened again.
            <bdi className={classNames(nameClass, '[overflow-wrap:anywhere]')}>{name}</bdi>
          ) : (
            <ConversationNameLine className={nameClass} conversation={conversation} />
          )}
          {last && (
            <time
              className={classNames(
                'shrink-0 text-meta tabular-nums',
                hasUnread && !muted ? 'font-semibold text-ink' : 'text-ink-soft',
              )}
              dateTime={new Date(last.at).toISOString()}
            >
              <bdi>{listTime(last.at, now)}</bdi>
            </time>
          )}
        </span>
        <span className="flex min-h-5 flex-wrap items-center justify-end gap-x-1.5">
          <Summary conversation={conversation} />
          {isFoundRequest && (
            <span className="shrink-0 rounded-chip bg-sunken px-1.5 text-ink-soft text-meta">
              {t('chats.request')}
            </span>
          )}
          <RowMarks conversation={conversation} />
        </span>
      </span>
    </button>
  );
}

/** The draft, where it can be sent, else the last message, on one line. */
function Summary({ conversation }: { conversation: Conversation }) {
  const { draft, failed, kind, last } = conversation;
  const text = 'min-w-0 flex-[1_1_4rem] truncate';
  if (draft.trim() && canWriteIn(conversation)) {
    return (
      <span className={classNames(text, 'text-ink-soft')}>
        <span className="font-semibold text-accent-ink">{t('chats.draft')}</span> <bdi>{draft}</bdi>
      </span>
    );
  }
  if (!last) return <span className={classNames(text, 'text-ink-soft')}>{t('chats.noMessages')}</span>;
  return (
    <>
      {/* The mark of a failure, at the end of the row, replaces the state of the last message. */}
      {last.outgoing && failed === 0 && <MessageStateIcon delivery={last.delivery} state={last.state} />}
      <bdi className={classNames(text, isUnread(conversation) ? 'font-medium' : 'text-ink-soft')}>
        {kind === 'group' && !last.outgoing
          ? t('chats.summary', {
              author: authorName(last.author, last.bot),
              text: plainText(summaryText(last.summary)),
            })
          : plainText(summaryText(last.summary))}
      </bdi>
    </>
  );
}
