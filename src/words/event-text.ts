import type { TimelineEvent } from '../bridge/shapes/message.ts';
import type { Person } from '../bridge/shapes/person.ts';
import { distinctNameIn } from './distinct-name.ts';
import type { RichKey, Values, Words } from './format.ts';
import { durationIn } from './locale.ts';

/** The name of a person in the sentence. */
type NameOf = (person: Person) => string;

/** Makes the sentence of a key, as elements or as text. */
type Write<T> = <K extends RichKey>(key: K, ...values: Values<K>) => T;

/**
 * The sentence of an event.
 * @param own the person's address
 * @param locale for `Intl`
 */
export function eventText<T>(
  words: Words,
  event: TimelineEvent,
  own: string | undefined,
  locale: string,
  write: Write<T>,
): T {
  const isMe = event.who.address === own;
  const nameOf: NameOf = (person) => distinctNameIn(words, person, person.hasNamesake === true);
  const name = nameOf(event.who);
  switch (event.type) {
    case 'joined':
      return isMe ? write('chat.joinedYou') : write('chat.joined', { name });
    case 'left':
      return departureText(event, own, nameOf, write);
    case 'noAdmin':
      return isMe ? write('chat.noAdminYou') : write('chat.noAdmin', { name });
    case 'missing':
      return write('chat.missing', { name });
    case 'timer':
      return timerText(event.seconds ?? 0, isMe ? null : name, locale, write);
    case 'name':
      return write('chat.nameChanged', { name, before: event.before ?? '' });
    case 'picture':
      return write('chat.pictureChanged', { name });
    case 'groupPicture':
      return isMe ? write('chat.groupPictureYou') : write('chat.groupPicture', { name });
    case 'linkMade':
      return isMe ? write('chat.linkMadeYou') : write('chat.linkMade', { name });
    case 'linkCanceled':
      return isMe ? write('chat.linkCanceledYou') : write('chat.linkCanceled', { name });
    case 'owner':
    case 'admin':
      return roleText(event.type, event, own, nameOf, write);
  }
}

/** @param name of the person who set it; null for oneself */
function timerText<T>(seconds: number, name: string | null, locale: string, write: Write<T>): T {
  if (seconds === 0) return name === null ? write('chat.timerOffYou') : write('chat.timerOff', { name });
  const time = durationIn(locale, seconds);
  return name === null ? write('chat.timerOnYou', { time }) : write('chat.timerOn', { name, time });
}

function departureText<T>(
  { who, by }: Pick<TimelineEvent, 'who' | 'by'>,
  own: string | undefined,
  nameOf: NameOf,
  write: Write<T>,
): T {
  const name = nameOf(who);
  const isMe = who.address === own;
  if (by === null) return isMe ? write('chat.goneYou') : write('chat.gone', { name });
  if (by.address === who.address) return isMe ? write('chat.departedYou') : write('chat.departed', { name });
  if (by.address === own) return write('chat.removedByYou', { name });
  if (isMe) return write('chat.removedYouBy', { by: nameOf(by) });
  return write('chat.removedBy', { by: nameOf(by), name });
}

function roleText<T>(
  role: 'owner' | 'admin',
  { who, by }: Pick<TimelineEvent, 'who' | 'by'>,
  own: string | undefined,
  nameOf: NameOf,
  write: Write<T>,
): T {
  const name = nameOf(who);
  // An owner who transfers a group and stays an admin has made themselves one.
  if (by === null || by.address === who.address) {
    return who.address === own ? write(`chat.${role}You`) : write(`chat.${role}`, { name });
  }
  if (by.address === own) return write(`chat.${role}ByYou`, { name });
  if (who.address === own) return write(`chat.${role}YouBy`, { by: nameOf(by) });
  return write(`chat.${role}By`, { by: nameOf(by), name });
}
