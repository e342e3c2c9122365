/**
 * Parts of conversations: messages in every state, banners, and replacements of the composer.
 */
import type { DirectConversation, GroupConversation } from '../../src/bridge/shapes/conversation.ts';
import { MessageActions } from '../../src/renderer/chat/actions/action-state.tsx';
import {
  BlockedBanner,
  DevicesBanner,
  ForkBanner,
  GroupProblemBanner,
  LeftBanner,
  RequestBanner,
  UnverifiableBanner,
  WaitingBanner,
} from '../../src/renderer/chat/banners.tsx';
import { ConversationHeader, HeaderSkeleton } from '../../src/renderer/chat/conversation-header.tsx';
import { arrange } from '../../src/renderer/chat/grouping.ts';
import { MessageRow } from '../../src/renderer/chat/message-row.tsx';
import { TimelineSkeleton } from '../../src/renderer/chat/timeline-placeholders.tsx';
import { TimelineStart } from '../../src/renderer/chat/timeline-start.tsx';
import type { TimelineControl } from '../../src/renderer/chat/use-timeline.ts';
import { TrustMark } from '../../src/renderer/people/trust-mark.tsx';
import { addDirect, addGroup } from '../fake/conversations.ts';
import { ann, ben, HOUR, NOW } from '../fake/people.ts';
import { newWorld } from '../fake/world.ts';
import { type SceneName, scenes } from '../scenes/index.ts';
import type { Specimen } from './specimen.ts';

const nothing = () => undefined;
const control: TimelineControl = {
  timeline: undefined,
  error: null,
  retry: nothing,
  loadOlder: nothing,
  loadNewer: nothing,
  moveToNewest: async () => undefined,
  put: nothing,
  remove: nothing,
  refresh: nothing,
  jumpTo: nothing,
  see: nothing,
};

function direct(part: Partial<DirectConversation> = {}): DirectConversation {
  return addDirect(newWorld(), ann, [], part);
}

function group(part: Partial<GroupConversation['group']> = {}): GroupConversation {
  return addGroup(newWorld(), 'Bird watchers', [ann, ben], [], { group: part });
}

/** All messages of a conversation; of the one that the scene opens with, if none is named. */
function rowsOf(name: SceneName, conversationId?: string) {
  const world = scenes[name]();
  const shown = conversationId ?? world.open ?? '';
  const messages = world.messages.get(shown) ?? [];
  const unread = world.conversations.find(({ id }) => id === shown)?.firstUnreadId ?? null;
  const conversation = world.conversations.find(({ id }) => id === shown) ?? group();
  return (
    <MessageActions control={control} conversation={conversation}>
      <div className="@container/timeline" style={{ width: '100%' }}>
        {arrange(messages, unread).map((row, index) => (
          <MessageRow
            count={messages.length}
            inGroup
            isHighlighted={false}
            isTabStop
            key={row.message.id}
            now={NOW}
            place={index + 1}
            row={row}
            showsState={row.message.state !== 'received'}
          />
        ))}
      </div>
    </MessageActions>
  );
}

export const conversationSpecimens: readonly Specimen[] = [
  { name: 'messages in every state', show: () => rowsOf('states') },
  { name: 'messages with what is done to them', show: () => rowsOf('actions') },
  { name: 'messages with every kind of text', show: () => rowsOf('conversation', '3') },
  { name: 'messages of people who mean no good', show: () => rowsOf('hostile') },
  {
    name: 'trust marks',
    show: () => (
      <>
        <TrustMark author={ann} trust="api" />
        <TrustMark author={ann} trust="bot" />
        <TrustMark author={ann} trust="token" />
      </>
    ),
  },
  { name: 'banner: request', show: () => <RequestBanner conversation={direct({ state: 'request' })} /> },
  { name: 'banner: blocked', show: () => <BlockedBanner conversation={direct({ state: 'blocked' })} /> },
  { name: 'banner: left', show: () => <LeftBanner conversation={group({ joined: false })} /> },
  {
    name: 'banner: group stopped',
    show: () => (
      <GroupProblemBanner
        conversation={group({ problem: { code: 'roster_split', parameters: {} }, canGoOn: true })}
      />
    ),
  },
  {
    name: 'banner: not proven',
    show: () => (
      <UnverifiableBanner
        conversation={direct()}
        problem="Waxwing can’t confirm this person’s devices. Nothing is sent to them."
      />
    ),
  },
  { name: 'banner: two lists', show: () => <ForkBanner problem="There are two device lists of @ann." /> },
  { name: 'banner: waiting', show: () => <WaitingBanner problem="The newest devices are not shown." /> },
  {
    name: 'banner: devices changed',
    show: () => <DevicesBanner change={{ at: NOW - HOUR, added: 1, removed: 2 }} conversation={direct()} />,
  },
  { name: 'header', show: () => <ConversationHeader conversation={direct({ verifiedAt: NOW })} /> },
  { name: 'header, loading', show: () => <HeaderSkeleton /> },
  { name: 'timeline start', show: () => <TimelineStart conversation={direct()} /> },
  { name: 'timeline, loading', show: () => <TimelineSkeleton /> },
];
