import type { ComponentType } from 'react';
import type { Message } from '../../bridge/shapes.ts';
import { InviteCard } from './invite-card.tsx';
import { MarkdownText } from './markdown-text.tsx';
import { NewerMessage } from './newer-message.tsx';

type Look = ComponentType<{ message: Message }>;

/** Kinds that are more than a text. */
const LOOKS: ReadonlyMap<string, Look> = new Map<string, Look>([
  ['invite', InviteCard],
  ['newer', NewerMessage],
]);

/** What a message says, in the look of its kind. */
export function Content({ message }: { message: Message }) {
  const Look = LOOKS.get(message.kind);
  return Look ? <Look message={message} /> : <MarkdownText id={message.id} text={message.text} />;
}
