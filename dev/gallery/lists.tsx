/**
 * Rows of lists: rows of conversations, notices, people, members.
 */
import { ConnectionCard } from '../../src/renderer/chat/connection-card.tsx';
import { ListSkeleton } from '../../src/renderer/chat-list/conversation-list.tsx';
import { ConversationRow } from '../../src/renderer/chat-list/conversation-row.tsx';
import { ListFailure, NoConversations, NothingFound } from '../../src/renderer/chat-list/list-notices.tsx';
import { MyRow } from '../../src/renderer/chat-list/my-row.tsx';
import { OtherLists } from '../../src/renderer/chat-list/other-lists.tsx';
import { MemberList } from '../../src/renderer/groups/member-list.tsx';
import { AddressBlock } from '../../src/renderer/people/address-block.tsx';
import { PersonButton } from '../../src/renderer/people/person-button.tsx';
import { ann, ben, NOW, stranger } from '../fake/people.ts';
import { newWorld } from '../fake/world.ts';
import { type SceneName, scenes } from '../scenes/index.ts';
import type { Specimen } from './specimen.ts';

const nothing = () => undefined;

function rowsOf(name: SceneName) {
  const shown = scenes[name]().conversations.slice(0, 9);
  return (
    <div aria-label={name} role="listbox" style={{ width: '100%' }}>
      {shown.map((conversation, index) => (
        <ConversationRow
          conversation={conversation}
          isCurrent={index === 1}
          isTabStop
          key={conversation.id}
          now={NOW}
          onFocus={nothing}
          onMenu={nothing}
          onOpen={nothing}
          place={{ position: index + 1, of: shown.length }}
        />
      ))}
    </div>
  );
}

export const listSpecimens: readonly Specimen[] = [
  { name: 'conversation rows', show: () => rowsOf('many') },
  { name: 'conversation rows of people who mean no good', show: () => rowsOf('hostile') },
  { name: 'list, loading', show: () => <ListSkeleton /> },
  { name: 'list, empty', show: () => <NoConversations echoOffered onNewChat={nothing} /> },
  { name: 'list, nothing found', show: () => <NothingFound onWriteTo={nothing} text={'W'.repeat(80)} /> },
  {
    name: 'list, failed',
    show: () => <ListFailure onRetry={nothing} sentence="The engine does not answer." />,
  },
  {
    name: 'requests',
    show: () => (
      <OtherLists lists={{ requests: scenes.request().conversations, archived: [] }} onOpen={nothing} />
    ),
  },
  { name: 'conversation rows with marks', show: () => rowsOf('lists') },
  { name: 'connection card', show: () => <ConnectionCard /> },
  { name: 'own row', show: () => <MyRow me={newWorld().me} /> },
  {
    name: 'people',
    show: () =>
      [ann, ben, stranger].map((each) => (
        <PersonButton key={each.address} onChoose={nothing} person={each} />
      )),
  },
  { name: 'address', show: () => <AddressBlock address={ann.address} /> },
  {
    name: 'members',
    show: () => {
      const world = scenes.group();
      const [conversation] = world.conversations;
      const facts = world.groups.get(conversation?.id ?? '');
      if (conversation?.kind !== 'group' || !facts) return null;
      const details = { conversationId: conversation.id, group: conversation.group, ...facts };
      return (
        <div style={{ width: '100%' }}>
          <MemberList details={details} />
        </div>
      );
    },
  },
];
