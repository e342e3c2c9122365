import type { Message } from '../../bridge/shapes.ts';
import { Avatar, BotAvatar } from '../design/avatar.tsx';
import { classNames } from '../design/class-names.ts';
import { authorName } from '../people/author-name.ts';
import { RosterCaption, TrustMark, UnsignedCaption } from '../people/trust-mark.tsx';
import { personName } from '../shared/person.ts';
import { clockTime, dayCaption, fullTime } from '../shared/time.ts';
import { failureText, rich, t } from '../words.tsx';
import { Content } from './content.tsx';
import { EventLine } from './event-line.tsx';
import { FailedActions } from './failed-actions.tsx';
import type { TimelineRow } from './grouping.ts';
import { MessageStateIcon } from './message-state.tsx';

interface MessageRowProps {
  row: TimelineRow;
  /** Whether several people write here, so that it has to be said who. */
  inGroup: boolean;
  now: number;
  onChanged: (message: Message) => void;
  onRemoved: (id: string) => void;
}

/** One message with what stands above it: the day, the divider of new messages. */
export function MessageRow({ row, inGroup, now, onChanged, onRemoved }: MessageRowProps) {
  const { message } = row;
  const own = isOwn(message);
  if (message.event) {
    return (
      <>
        {row.startsDay && <DaySeparator caption={dayCaption(message.storedAt, now)} />}
        <EventLine event={message.event} at={message.storedAt} />
      </>
    );
  }
  return (
    <>
      {row.startsDay && <DaySeparator caption={dayCaption(message.storedAt, now)} />}
      {row.startsUnread && <UnreadDivider />}
      <article
        aria-label={accessibleName(message)}
        className={classNames(
          'flex flex-col',
          own ? 'items-end' : 'items-start',
          row.startsGroup ? 'pt-2.5' : 'pt-[3px]',
        )}
        data-state={message.state}
        data-trust={message.trust}
      >
        {row.startsGroup && inGroup && !own && <AuthorCaption message={message} />}
        {row.startsGroup && message.roster && (
          <RosterCaption author={message.author} roster={message.roster} />
        )}
        {row.startsGroup && (message.trust === 'api' || message.trust === 'token') && (
          <UnsignedCaption trust={message.trust} />
        )}
        <Bubble row={row} />
        {message.state === 'queued' && message.problem !== null && (
          <p className="mt-1 max-w-[min(36rem,86%)] text-end text-ink-soft text-meta [overflow-wrap:anywhere]">
            {failureText(message.problem)}
          </p>
        )}
        {message.state === 'failed' && (
          <FailedActions message={message} onChanged={onChanged} onRemoved={onRemoved} />
        )}
      </article>
    </>
  );
}

/** Also what a program of the person's sent with an API key: nobody else wrote it, though no device of theirs signed it. */
function isOwn(message: Message): boolean {
  return message.state !== 'received';
}

function surfaceOf({ state, trust, roster }: Message): string {
  if (roster || trust === 'api' || trust === 'token')
    return 'border border-warning-ink/60 border-dashed bg-warning-soft';
  if (trust === 'bot') return 'border border-line-strong border-dashed bg-raised';
  if (state === 'received') return 'border border-line bg-raised';
  return state === 'failed' ? 'border border-transparent bg-danger-soft' : 'border border-transparent bg-own';
}

const ownNames = {
  queued: 'chat.ownSending',
  sent: 'chat.ownSent',
  failed: 'chat.ownNotSent',
} as const;

function accessibleName(message: Message): string {
  const time = clockTime(message.storedAt);
  if (message.state === 'received') {
    const author = authorName(message.author, message.bot?.name ?? (message.trust === 'token' ? '' : null));
    return t('chat.messageFrom', { author, time });
  }
  return t(ownNames[message.state], { time });
}

function Bubble({ row }: { row: TimelineRow }) {
  const { message } = row;
  const own = isOwn(message);
  return (
    <div
      className={classNames(
        'flow-root max-w-[min(36rem,86%)] rounded-bubble px-3.5 py-2 text-message',
        surfaceOf(message),
        own && !row.startsGroup && 'rounded-se-chip',
        own && !row.endsGroup && 'rounded-ee-chip',
        !own && !row.startsGroup && 'rounded-ss-chip',
        !own && !row.endsGroup && 'rounded-es-chip',
      )}
    >
      <div className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
        <Content message={message} />
        <Meta message={message} />
      </div>
    </div>
  );
}

/** Time and state, or time and trust; floats beside the last line where there is room, else under it. */
function Meta({ message }: { message: Message }) {
  return (
    <span className="float-end mt-1.5 ms-3 flex h-4 select-none items-center gap-1 whitespace-nowrap text-ink-soft text-meta tabular-nums">
      <time dateTime={new Date(message.storedAt).toISOString()} title={fullTime(message.storedAt)}>
        {/* Beside words from right to left, “7:15 PM” would turn into “PM 7:15”. */}
        <bdi>{clockTime(message.storedAt)}</bdi>
      </time>
      {message.trust === 'self' ? (
        <MessageStateIcon state={message.state} />
      ) : (
        <TrustMark author={message.author} trust={message.trust} />
      )}
    </span>
  );
}

/** Who writes, above the first of their messages. */
function AuthorCaption({ message: { author, bot, trust } }: { message: Message }) {
  // What nobody signed says below that it is of a bot.
  if (bot || trust === 'token') {
    return (
      <p className="mb-1 ms-1 flex max-w-full items-center gap-1.5 text-meta">
        <BotAvatar />
        <bdi className="truncate font-semibold">{bot?.name ?? t('chat.botUnnamed')}</bdi>
        {bot && (
          <span className="rounded-chip bg-sunken px-1 font-semibold text-ink-soft">{t('chat.bot')}</span>
        )}
        <span className="truncate text-ink-soft">
          {rich('chat.botAdded', { author: personName(author) })}
        </span>
      </p>
    );
  }
  return (
    <p className="mb-1 ms-1 flex max-w-full items-center gap-1.5 font-semibold text-meta">
      <Avatar person={author} size="tiny" />
      <bdi className="truncate">{personName(author)}</bdi>
    </p>
  );
}

function DaySeparator({ caption }: { caption: string }) {
  return (
    <div className="flex justify-center pt-6 pb-2">
      <h3 className="rounded-full bg-sunken px-3 py-1 font-medium text-ink-soft text-meta">{caption}</h3>
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
