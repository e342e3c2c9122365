import { plainText } from '../../base/markdown/words.ts';
import type { Message } from '../../bridge/shapes/message.ts';
import { authorName } from '../people/author-name.ts';
import { clockTime, duration } from '../shared/time.ts';
import { summaryText, t } from '../words.tsx';
import { type Delivery, deliveryOf } from './delivery.ts';

/** The longest text of a message read out, in characters. */
const LONGEST = 2000;
/** The same of its beginning. */
const BEGINNING = 150;

const deliveries = {
  sending: 'message.nameSending',
  sent: 'message.nameSent',
  delivered: 'message.nameDelivered',
  read: 'message.nameRead',
  failed: 'message.nameNotSent',
} as const satisfies Record<Delivery, string>;

/** The accessible name of a message: sender, text, reply, reactions, edited, BOT or API, time, delivery. */
export function articleName(message: Message): string {
  const { trust, replyTo, reactions, at } = message;
  const delivery = deliveryOf(message);
  const parts = [
    senderName(message),
    plainText(summaryText(message), LONGEST),
    ...message.files.map(({ alt }) => alt),
    replyTo && replyName(replyTo),
    reactions.length > 0 &&
      t('message.nameReactions', {
        count: reactions.reduce((sum, { count }) => sum + count, 0),
        emoji: reactions.map(({ emoji }) => emoji).join(' '),
      }),
    message.editedAt !== null && t('message.nameEdited'),
    message.forwarded && t('message.nameForwarded'),
    message.pinned && t('message.namePinned'),
    message.disappears && t('message.nameDisappears', { time: duration(message.disappears.after) }),
    trust === 'api' && t('chat.api'),
    trust === 'imported' && t('chat.imported'),
    (trust === 'bot' || trust === 'token') && t('chat.bot'),
    clockTime(at),
    delivery && t(deliveries[delivery]),
  ];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(', ');
}

/** The sender of a message and the beginning of its text. */
export function beginningOf(message: Message): string {
  const text = plainText(summaryText(message), BEGINNING);
  return [senderName(message), text].filter((part) => part !== '').join(', ');
}

function senderName(message: Message): string {
  const { author, bot, trust } = message;
  if (deliveryOf(message)) return t('message.own');
  return t('message.from', { author: authorName(author, bot?.name ?? (trust === 'token' ? '' : null)) });
}

function replyName({ author, bot }: NonNullable<Message['replyTo']>): string {
  return author ? t('message.nameReply', { author: authorName(author, bot) }) : t('message.nameReplyOnly');
}
