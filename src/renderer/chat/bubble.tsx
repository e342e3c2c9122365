import { Ban } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Message } from '../../bridge/shapes/message.ts';
import { classNames } from '../design/class-names.ts';
import { shownName } from '../people/shown-name.ts';
import { TrustMark } from '../people/trust-mark.tsx';
import { useOwnAddress } from '../people/use-own-address.ts';
import { clockTime, duration, fullTime } from '../shared/time.ts';
import { rich, t } from '../words.tsx';
import { useRowActions } from './actions/action-state.tsx';
import { Content } from './content.tsx';
import { deliveryOf } from './delivery.ts';
import { hasOnlyPictures } from './files/attachment.tsx';
import type { TimelineRow } from './grouping.ts';
import { DeliveryMark } from './message-state.tsx';
import { QuoteBox } from './quote.tsx';
import { TimerMark } from './timer-mark.tsx';

interface BubbleProps {
  row: TimelineRow;
  isOwn: boolean;
  inGroup: boolean;
  showsState: boolean;
}

/** A message's content with its quote, its time, and the proof of its sender. */
export function Bubble({ row, isOwn, inGroup, showsState }: BubbleProps) {
  const { message } = row;
  const isDeleted = message.kind === 'deleted';
  return (
    <div
      className={classNames(
        'flow-root min-w-0 rounded-bubble px-3.5 py-2 text-message',
        isDeleted ? 'border border-line-strong border-dashed' : surfaceOf(message),
        isOwn && !row.startsGroup && 'rounded-se-chip',
        isOwn && !row.endsGroup && 'rounded-ee-chip',
        !isOwn && !row.startsGroup && 'rounded-ss-chip',
        !isOwn && !row.endsGroup && 'rounded-es-chip',
      )}
    >
      {message.replyTo && !isDeleted && <QuoteBox quote={message.replyTo} />}
      <div
        className={classNames(
          'whitespace-pre-wrap [overflow-wrap:anywhere]',
          // A caption is as wide as its pictures, with room for the words under a narrow one.
          !isDeleted && hasOnlyPictures(message) && 'w-min min-w-[min(14rem,100%)] max-w-full',
        )}
        data-words
        dir="auto"
      >
        {isDeleted ? <Deleted inGroup={inGroup} message={message} /> : <Content message={message} />}
        <Meta endsGroup={row.endsGroup} message={message} showsState={showsState} />
      </div>
    </div>
  );
}

function surfaceOf({ state, trust, roster }: Message): string {
  if (roster || trust === 'api' || trust === 'token' || trust === 'imported')
    return 'border border-warning-ink/60 border-dashed bg-warning-soft';
  if (trust === 'bot') return 'border border-line-strong border-dashed bg-raised';
  if (state === 'received') return 'border border-line bg-raised';
  return state === 'failed' ? 'border border-transparent bg-danger-soft' : 'border border-transparent bg-own';
}

/** Replaces an erased text. In a group it names who erased another person's message. */
function Deleted({ message, inGroup }: { message: Message; inGroup: boolean }) {
  return (
    <span className="text-ink-soft italic">
      <Ban aria-hidden="true" className="me-1.5 inline size-4 align-[-0.2em]" strokeWidth={1.9} />
      <DeletedWords inGroup={inGroup} message={message} />
    </span>
  );
}

function DeletedWords({
  message: { deletedBy, sender },
  inGroup,
}: {
  message: Message;
  inGroup: boolean;
}): ReactNode {
  const own = useOwnAddress();
  if (deletedBy && inGroup && deletedBy.address !== sender && deletedBy.address !== own)
    return rich('message.deletedBy', { name: shownName(deletedBy) });
  return t('message.deleted');
}

interface MetaProps {
  message: Message;
  endsGroup: boolean;
  showsState: boolean;
}

/** The time at the end of a run, the delivery of an own message, and an unusual proof of the sender. */
function Meta({ message, endsGroup, showsState }: MetaProps) {
  const { author, disappears, editedAt, kind, state, at, trust } = message;
  const delivery = deliveryOf(message);
  const isSettled = state === 'sent' || state === 'received';
  const isEdited = editedAt !== null && kind !== 'deleted';
  const showsDelivery = delivery !== null && trust === 'self' && (showsState || !isSettled);
  const unusual = trust === 'self' || trust === 'verified' || kind === 'deleted' ? null : trust;
  const isPlain = !isEdited && !showsDelivery && !disappears && unusual === null;
  if (!endsGroup && isSettled && isPlain) return null;
  return (
    <span
      className="float-end ms-3 mt-1.5 flex h-4 select-none items-center gap-1 whitespace-nowrap text-ink-soft text-meta tabular-nums"
      data-meta
    >
      {isEdited && <EditedMark message={message} />}
      {(endsGroup || !isSettled) && (
        <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
          {/* Beside text from right to left, “7:15 PM” would turn into “PM 7:15”. */}
          <bdi>{clockTime(at)}</bdi>
        </time>
      )}
      {disappears && <TimerMark label={t('chat.timerAfter', { time: duration(disappears.after) })} />}
      {showsDelivery && <DeliveryMark delivery={delivery} />}
      {unusual && <TrustMark author={author} trust={unusual} />}
    </span>
  );
}

function EditedMark({ message }: { message: Message }) {
  const { open } = useRowActions();
  return (
    <button
      aria-label={t('message.editedShow')}
      className="-my-1.5 rounded-chip px-1 py-1.5 underline decoration-dotted underline-offset-2 hover:text-ink"
      onClick={() => open({ kind: 'versions', message })}
      type="button"
    >
      {t('message.edited')}
    </button>
  );
}
