import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { classNames } from '../design/class-names.ts';
import { conversationName } from '../shared/conversation.ts';
import { useHasNamesake } from '../shared/distinct-conversations.ts';
import { NameLine } from './name-line.tsx';

interface ConversationNameLineProps {
  conversation: Conversation;
  className?: string;
}

/** The name of a conversation on one line, with the handle if another chat is with a person of the same name. */
export function ConversationNameLine({ conversation, className = '' }: ConversationNameLineProps) {
  const hasNamesake = useHasNamesake(conversation);
  if (conversation.kind === 'direct' && !conversation.isSelf)
    return <NameLine className={className} hasNamesake={hasNamesake} person={conversation.peer} />;
  return <bdi className={classNames('block truncate', className)}>{conversationName(conversation)}</bdi>;
}
