import type { ReactNode } from 'react';
import type { TimelineEvent } from '../../bridge/shapes.ts';
import { useAsk } from '../bridge.ts';
import { personName } from '../shared/person.ts';
import { duration, fullTime } from '../shared/time.ts';
import { rich } from '../words.tsx';

/** An event as a line of the timeline, without an author. */
export function EventLine({ event, at, id }: { event: TimelineEvent; at: number; id: string }) {
  const { data: state } = useAsk('app.state', {});
  return (
    <p
      className="px-4 py-2 text-center text-ink-soft text-meta [overflow-wrap:anywhere]"
      id={`event-${id}`}
      title={fullTime(at)}
    >
      {wordsOf(event, state?.me?.address)}
    </p>
  );
}

/** @param own the person's address */
function wordsOf(event: TimelineEvent, own: string | undefined): ReactNode {
  const isMe = event.who.address === own;
  const name = personName(event.who);
  switch (event.type) {
    case 'joined':
      return isMe ? rich('chat.joinedYou') : rich('chat.joined', { name });
    case 'left':
      return departureWords(event, own);
    case 'noAdmin':
      return isMe ? rich('chat.noAdminYou') : rich('chat.noAdmin', { name });
    case 'missing':
      return rich('chat.missing', { name });
    case 'timer':
      return timerWords(event.seconds ?? 0, isMe ? null : name);
    case 'name':
      return rich('chat.nameChanged', { name, before: event.before ?? '' });
    case 'picture':
      return rich('chat.pictureChanged', { name });
    case 'groupPicture':
      return isMe ? rich('chat.groupPictureYou') : rich('chat.groupPicture', { name });
    case 'owner':
    case 'admin':
      return roleWords(event.type, event, own);
  }
}

/** @param name of the person who set it; null for oneself */
function timerWords(seconds: number, name: string | null): ReactNode {
  if (seconds === 0) return name === null ? rich('chat.timerOffYou') : rich('chat.timerOff', { name });
  const time = duration(seconds);
  return name === null ? rich('chat.timerOnYou', { time }) : rich('chat.timerOn', { name, time });
}

function departureWords({ who, by }: Pick<TimelineEvent, 'who' | 'by'>, own: string | undefined): ReactNode {
  const name = personName(who);
  const isMe = who.address === own;
  if (by === null) return isMe ? rich('chat.goneYou') : rich('chat.gone', { name });
  if (by.address === who.address) return isMe ? rich('chat.departedYou') : rich('chat.departed', { name });
  if (by.address === own) return rich('chat.removedByYou', { name });
  if (isMe) return rich('chat.removedYouBy', { by: personName(by) });
  return rich('chat.removedBy', { by: personName(by), name });
}

function roleWords(
  role: 'owner' | 'admin',
  { who, by }: Pick<TimelineEvent, 'who' | 'by'>,
  own: string | undefined,
): ReactNode {
  const name = personName(who);
  // An owner who hands a group over and stays an admin has made themselves one.
  if (by === null || by.address === who.address) {
    return who.address === own ? rich(`chat.${role}You`) : rich(`chat.${role}`, { name });
  }
  if (by.address === own) return rich(`chat.${role}ByYou`, { name });
  if (who.address === own) return rich(`chat.${role}YouBy`, { by: personName(by) });
  return rich(`chat.${role}By`, { by: personName(by), name });
}
