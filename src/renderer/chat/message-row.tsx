import { Forward } from 'lucide-react';
import { type MouseEvent, memo, type ReactNode, useMemo } from 'react';
import type { Message } from '../../bridge/shapes/message.ts';
import { Avatar, BotAvatar } from '../design/avatar.tsx';
import { classNames } from '../design/class-names.ts';
import { authorName } from '../people/author-name.ts';
import { NameLine } from '../people/name-line.tsx';
import { RosterCaption, UnsignedCaption } from '../people/trust-mark.tsx';
import { dayCaption } from '../shared/time.ts';
import { failureText, rich, t } from '../words.tsx';
import { ActionBar } from './actions/action-bar.tsx';
import { MAX_SELECTED, useRowActions } from './actions/action-state.tsx';
import { useAfterScroll } from './actions/scroll-state.ts';
import { articleName } from './article-name.ts';
import { Bubble } from './bubble.tsx';
import { EventLine } from './event-line.tsx';
import { FailedActions } from './failed-actions.tsx';
import type { TimelineRow } from './grouping.ts';
import { linkOf } from './outside-link.tsx';
import { Reactions } from './reactions.tsx';

interface MessageRowProps {
  row: TimelineRow;
  /** True if several people write here, so that names are shown. */
  inGroup: boolean;
  now: number;
  /** Its number among `count` rows, from 1; `count` is -1 if unknown. */
  place: number;
  count: number;
  /** True if it is in the Tab order. */
  isTabStop: boolean;
  /** True for a moment after a jump to it. */
  isHighlighted: boolean;
  /** True if it shows its delivery. */
  showsState: boolean;
  /** Content above the first row. */
  start?: ReactNode;
}

/** A message with its day caption and the divider of new messages. Rendered again only if it changes. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { row, inGroup, now, place, count, isTabStop, isHighlighted, showsState, start } = props;
  const { message } = row;
  const { event } = message;
  const { open, selected } = useRowActions();
  // Not for another place, which all rows get with each page. Its time depends on the zone, which is looked up each minute.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for the zone
  const name = useMemo(() => (event ? undefined : articleName(message)), [event, message, now]);
  const [hasBar, addBar] = useAfterScroll();
  const openMenu = (press: MouseEvent) => {
    // Selected text has the browser's menu.
    if (event || selected || getSelection()?.isCollapsed === false) return;
    press.preventDefault();
    const { clientX, clientY } = press;
    const anchor = { getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) };
    open({ kind: 'menu', message, anchor, link: linkOf(press.target) });
  };
  return (
    <article
      aria-label={name}
      aria-labelledby={event ? `event-${message.id}` : undefined}
      aria-posinset={place}
      aria-setsize={count}
      className="group/row relative outline-none"
      data-message={message.id}
      data-state={message.state}
      data-trust={message.trust}
      onContextMenu={openMenu}
      onFocus={addBar}
      tabIndex={isTabStop ? 0 : -1}
    >
      {start}
      {row.startsDay && <DaySeparator caption={dayCaption(row.at, now)} />}
      {row.startsUnread && !event && <UnreadDivider />}
      <div
        className={classNames(
          '-mx-2 rounded-control px-2 transition-colors duration-200 group-focus-visible/row:outline-2 group-focus-visible/row:outline-focus',
          row.startsGroup ? 'mt-2.5' : 'mt-[3px]',
          isHighlighted && 'bg-highlight',
        )}
      >
        {event ? (
          <EventLine at={message.at} event={event} id={message.id} />
        ) : (
          // The Tab order does not change with a scroll.
          <Words hasBar={hasBar || isTabStop} inGroup={inGroup} now={now} row={row} showsState={showsState} />
        )}
      </div>
    </article>
  );
});

type WordsProps = Pick<MessageRowProps, 'row' | 'inGroup' | 'now' | 'showsState'> & { hasBar: boolean };

/** A message with its sender and its footer. Rendered each minute too: the zone of its times may change. */
const Words = memo(function Words({ row, inGroup, showsState, hasBar }: WordsProps) {
  const { message } = row;
  const { selected } = useRowActions();
  const own = isOwn(message);
  const showsFace = inGroup && !own;
  const isDeleted = message.kind === 'deleted';
  return (
    <div className={classNames('relative flex gap-2', selected && 'ps-9')}>
      {showsFace && <Face message={message} startsGroup={row.startsGroup} />}
      <div className={classNames('flex min-w-0 flex-1 flex-col', own ? 'items-end' : 'items-start')}>
        {row.startsGroup && showsFace && <AuthorCaption message={message} />}
        {row.startsGroup && message.roster && (
          <RosterCaption author={message.author} roster={message.roster} />
        )}
        {row.startsGroup &&
          (message.trust === 'api' || message.trust === 'token' || message.trust === 'imported') && (
            <UnsignedCaption trust={message.trust} />
          )}
        {message.forwarded && !isDeleted && (
          <p className="mx-1 mb-0.5 flex items-center gap-1 text-ink-soft text-meta">
            <Forward aria-hidden="true" className="size-3.5" />
            {t('message.forwarded')}
          </p>
        )}
        <div
          className={classNames(
            'relative flex min-w-28 max-w-[min(36rem,86%)] @min-[34rem]/timeline:max-w-[min(36rem,100%-6.5rem)]',
            own && 'justify-end',
          )}
          data-bubble
        >
          <Bubble inGroup={inGroup} isOwn={own} row={row} showsState={showsState} />
          {!selected && hasBar && <ActionBar isOwn={own} message={message} />}
        </div>
        {message.reactions.length > 0 && !isDeleted && <Reactions message={message} />}
        {message.state === 'queued' && message.problem !== null && (
          <p className="mt-1 max-w-[min(36rem,86%)] text-end text-ink-soft text-meta [overflow-wrap:anywhere]">
            {failureText(message.problem)}
          </p>
        )}
        {message.state === 'failed' && <FailedActions message={message} />}
      </div>
      {selected && <SelectBox id={message.id} selected={selected} />}
    </div>
  );
});

/**
 * Includes messages of the person's programs with an API key: they are the person's, although no device signed them.
 */
function isOwn(message: Message): boolean {
  return message.state !== 'received';
}

/** Covers the whole message: in selection mode, a click anywhere selects it. */
function SelectBox({ id, selected }: { id: string; selected: ReadonlySet<string> }) {
  const { toggleSelected } = useRowActions();
  const isSelected = selected.has(id);
  return (
    <label className="absolute -inset-x-2 -inset-y-0.5 z-10 flex items-center rounded-control ps-3 has-checked:outline-2 has-checked:outline-accent-ink">
      <input
        aria-label={t('message.selectThis')}
        checked={isSelected}
        className="size-4 accent-accent"
        disabled={!isSelected && selected.size >= MAX_SELECTED}
        onChange={() => toggleSelected(id)}
        type="checkbox"
      />
    </label>
  );
}

/** Beside the first message of a run; the others leave its place empty. */
function Face({ message, startsGroup }: { message: Message; startsGroup: boolean }) {
  return (
    <span className="w-8 shrink-0 pt-0.5">
      {startsGroup &&
        (message.bot || message.trust === 'token' ? (
          <BotAvatar botKey={message.bot?.key ?? null} size="small" />
        ) : (
          <Avatar person={message.author} size="small" />
        ))}
    </span>
  );
}

/** The author, above the first of their messages. */
function AuthorCaption({ message: { author, bot, trust } }: { message: Message }) {
  // An unsigned post is marked as a bot's below.
  if (bot || trust === 'token') {
    return (
      <p className="ms-1 mb-1 flex max-w-full items-center gap-1.5 text-meta">
        <bdi className="max-w-[70%] shrink-0 truncate font-semibold">{bot?.name || t('chat.botUnnamed')}</bdi>
        {trust !== 'token' && (
          <span className="shrink-0 rounded-chip bg-sunken px-1 font-semibold text-ink-soft">
            {t('chat.bot')}
          </span>
        )}
        <span className="min-w-0 truncate text-ink-soft">
          {rich('chat.botAdded', { author: authorName(author, null) })}
        </span>
      </p>
    );
  }
  return (
    <p className="ms-1 mb-1 flex max-w-full items-center gap-1.5 font-semibold text-meta">
      <NameLine person={author} />
    </p>
  );
}

function DaySeparator({ caption }: { caption: string }) {
  return (
    <div className="flex justify-center pt-6 pb-2">
      <h3 data-day className="rounded-full bg-sunken px-3 py-1 font-medium text-ink-soft text-meta">
        {caption}
      </h3>
    </div>
  );
}

function UnreadDivider() {
  return (
    <div className="mt-4 mb-1 flex items-center gap-3 text-unread">
      <span aria-hidden="true" className="flex-1 border-unread border-t-2" />
      <h3 className="font-semibold text-meta">{t('chat.newMessages')}</h3>
      <span aria-hidden="true" className="flex-1 border-unread border-t-2" />
    </div>
  );
}
