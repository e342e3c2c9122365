import type { Conversation, Gist } from '../../bridge/shapes.ts';

/**
 * The conversations of a list view, newest activity first, whose person, group or last message contains the text.
 * @param textOf what the list says of a message
 */
export function filterConversations(
  conversations: readonly Conversation[],
  state: Conversation['state'],
  text: string,
  textOf: (gist: Gist) => string,
): Conversation[] {
  const wanted = text.trim().replace(/^@/, '').toLocaleLowerCase();
  return conversations
    .filter((conversation) => conversation.state === state && matches(conversation, wanted, textOf))
    .toSorted((one, other) => other.activeAt - one.activeAt);
}

function matches(conversation: Conversation, wanted: string, textOf: (gist: Gist) => string): boolean {
  if (wanted === '') return true;
  const names =
    conversation.kind === 'direct'
      ? [conversation.peer.displayName, conversation.peer.handle, conversation.peer.address]
      : [conversation.group.name];
  return [...names, conversation.last && textOf(conversation.last.gist)].some((field) =>
    field?.toLocaleLowerCase().includes(wanted),
  );
}
