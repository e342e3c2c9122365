import type { ComponentType } from 'react';
import type { Look } from '../../bridge/looks.ts';
import type { Message } from '../../bridge/shapes/message.ts';
import { Attachment } from './files/attachment.tsx';
import { InviteCard } from './invite-card.tsx';
import { MarkdownText } from './markdown-text.tsx';
import { NewerMessage } from './newer-message.tsx';
import { PreviewInMessage } from './preview/preview-in-message.tsx';

/** Views of contents other than text. */
const LOOKS: Readonly<Record<Look, ComponentType<{ message: Message }>>> = {
  attachment: Attachment,
  invite: InviteCard,
  newer: NewerMessage,
};

const hasLook = (kind: string): kind is Look => Object.hasOwn(LOOKS, kind);

/** A message's content, in the view of its kind. */
export function Content({ message }: { message: Message }) {
  const { id, kind, mentions, text } = message;
  if (!hasLook(kind)) {
    return (
      <>
        <MarkdownText id={id} mentions={mentions} text={text} />
        {message.preview && <PreviewInMessage preview={message.preview} />}
      </>
    );
  }
  const Look = LOOKS[kind];
  return <Look message={message} />;
}
