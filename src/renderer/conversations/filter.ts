import type { Conversation } from '../../bridge/shapes.ts';

/** The conversations of a list view, newest activity first, whose person or last message contains the text. */
export function filterConversations(
  conversations: readonly Conversation[],
  state: Conversation['state'],
  text: string,
): Conversation[] {
  const wanted = text.trim().replace(/^@/, '').toLocaleLowerCase();
  return conversations
    .filter((conversation) => conversation.state === state && matches(conversation, wanted))
    .toSorted((one, other) => (other.last?.at ?? 0) - (one.last?.at ?? 0));
}

function matches({ peer, last }: Conversation, wanted: string): boolean {
  if (wanted === '') return true;
  return [peer.displayName, peer.handle, peer.address, last?.text].some((field) =>
    field?.toLocaleLowerCase().includes(wanted),
  );
}
