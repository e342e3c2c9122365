import type { ReactNode } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { ConversationFace } from '../design/conversation-face.tsx';
import { useSubtitle } from '../groups/use-subtitle.ts';
import { conversationName } from '../shared/conversation.ts';
import { rich, t } from '../words.tsx';

/** Content above the very first message. */
export function TimelineStart({ conversation }: { conversation: Conversation }) {
  const [name, subtitle] = [conversationName(conversation), useSubtitle(conversation)];
  return (
    <div className="flex flex-col items-center gap-1 px-4 pt-10 pb-6 text-center">
      <ConversationFace conversation={conversation} size="large" />
      <bdi className="mt-3 max-w-full font-semibold text-dialog [overflow-wrap:anywhere]">{name}</bdi>
      {subtitle !== name && <bdi className="text-ink-soft">{subtitle}</bdi>}
      <p className="mt-3 max-w-sm text-balance text-ink-soft text-meta">{encryptionNote(conversation)}</p>
    </div>
  );
}

/** The note about who can read the messages here. */
function encryptionNote(conversation: Conversation): ReactNode {
  if (conversation.kind === 'group') return t('chat.encryptedGroup');
  if (conversation.isSelf) return t('chat.encryptedSelf');
  return rich('chat.encrypted', { name: conversationName(conversation) });
}
