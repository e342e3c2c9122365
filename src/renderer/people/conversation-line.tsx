import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { GroupAvatar } from '../design/conversation-face.tsx';
import { conversationSubtitle } from '../shared/conversation.ts';
import { NoteLine } from './note-to-self.tsx';
import { PersonLine } from './person-button.tsx';

/** A conversation on one line of a list: its person, or its group. */
export function ConversationLine({ conversation }: { conversation: Conversation }) {
  if (conversation.kind === 'direct' && conversation.isSelf) return <NoteLine person={conversation.peer} />;
  if (conversation.kind === 'direct') return <PersonLine person={conversation.peer} />;
  return (
    <span className="flex min-w-0 flex-1 items-center gap-3">
      <GroupAvatar group={conversation.group} size="small" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-semibold">{conversation.group.name}</bdi>
        <bdi className="block text-ink-soft text-meta [overflow-wrap:anywhere]">
          {conversationSubtitle(conversation)}
        </bdi>
      </span>
    </span>
  );
}
