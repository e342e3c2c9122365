import { useEffect, useEffectEvent, useState } from 'react';
import type { Conversation, DirectConversation } from '../../bridge/shapes/conversation.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { canWriteIn } from '../shared/conversation.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { useShutOut } from '../shared/use-shut-out.ts';
import { failureText, t } from '../words.tsx';
import { ActionMenu } from './actions/action-menu.tsx';
import { MessageActions, useActions } from './actions/action-state.tsx';
import { DeleteDialog } from './actions/delete-dialog.tsx';
import { ForwardDialog } from './actions/forward-dialog.tsx';
import { QuickReactions } from './actions/quick-reactions.tsx';
import { SelectionBar } from './actions/selection-bar.tsx';
import { VersionsDialog } from './actions/versions-dialog.tsx';
import {
  BlockedBanner,
  DevicesBanner,
  ForkBanner,
  GroupProblemBanner,
  LeftBanner,
  RequestBanner,
  ShutOutBanner,
  UnverifiableBanner,
  WaitingBanner,
} from './banners.tsx';
import { Composer } from './composer.tsx';
import { Confirmation } from './confirmation.tsx';
import { ConnectionLine } from './connection-card.tsx';
import { ConversationHeader, HeaderSkeleton } from './conversation-header.tsx';
import { PlayerBar } from './files/player/player-bar.tsx';
import { Viewer } from './files/viewer/viewer.tsx';
import { FindBar } from './find/find-bar.tsx';
import { MessageInfo } from './message-info.tsx';
import { OutsideLinks } from './outside-link.tsx';
import { PinStrip } from './pin-strip.tsx';
import { EmptyTimeline, TimelineSkeleton } from './timeline-placeholders.tsx';
import { TimelineView } from './timeline-view.tsx';
import { useDeliveryAnnouncements } from './use-delivery-announcements.ts';
import { useMarkRead } from './use-mark-read.ts';
import { type TimelineControl, useTimeline } from './use-timeline.ts';
import { useRefusedFiles } from './writing/given-files.ts';

/**
 * The interval of checks of a group, in milliseconds. The relay does not notify the app of arriving, leaving or
 * removed members.
 */
const LOOK_AGAIN = 20_000;

/** The middle pane: header, messages, and composer. */
export function ConversationPane({ conversationId }: { conversationId: string }) {
  const { closeConversation } = useNavigation();
  const { data: listed } = useBridgeQuery('conversations.list', {});
  const { data: fetched, error } = useBridgeQuery('conversations.get', { id: conversationId });
  const conversation = fetched ?? listed?.find((candidate) => candidate.id === conversationId);
  const control = useTimeline(conversationId, conversation?.unread ?? 0);
  const group = conversation?.kind === 'group' ? conversation.group : null;
  const isInGroup = group !== null && (group.joined || group.isLoading);
  useTarget(control);
  useDeliveryAnnouncements(control.timeline?.messages);
  useBridgeQuery(
    'groups.look',
    { conversationId },
    { enabled: isInGroup, refetchInterval: () => LOOK_AGAIN },
  );
  if (error) {
    return (
      <EmptyState
        action={<Button onClick={closeConversation}>{t('chat.back')}</Button>}
        text={error.message}
        title={t('chat.notOpened')}
      />
    );
  }
  if (!conversation) {
    return (
      <div className="flex min-w-0 flex-1 flex-col">
        <HeaderSkeleton />
        <TimelineSkeleton />
      </div>
    );
  }
  return (
    <MessageActions control={control} conversation={conversation}>
      <OutsideLinks>
        <div className="flex min-w-0 flex-1 flex-col overflow-y-auto overflow-x-hidden">
          <ConversationHeader conversation={conversation} />
          <FindBar />
          <PinStrip />
          <PlayerOverMessages />
          <Warning conversation={conversation} />
          <Messages control={control} conversation={conversation} />
          <ConnectionLine />
          <Confirmation />
          <BelowMessages control={control} conversation={conversation} />
        </div>
        <ActionMenu />
        <QuickReactions />
        <DeleteDialog />
        <ForwardDialog />
        <VersionsDialog />
        <InfoOfMessage />
        <Viewer />
      </OutsideLinks>
    </MessageActions>
  );
}

function PlayerOverMessages() {
  const { composer } = useActions();
  return <PlayerBar fallback={composer} />;
}

/** Shows the message at which the conversation was opened, once its timeline is there. */
function useTarget({ timeline, jumpTo }: TimelineControl): void {
  const { target, forgetTarget } = useNavigation();
  const isLoaded = timeline !== undefined;
  const show = useEffectEvent((messageId: string) => {
    jumpTo(messageId);
    forgetTarget();
  });
  useEffect(() => {
    if (isLoaded && target) show(target.messageId);
  }, [isLoaded, target]);
}

/** Transport details of the chosen message. */
function InfoOfMessage() {
  const { opened, close } = useActions();
  if (opened?.kind !== 'info') return null;
  return <MessageInfo id={opened.message.id} onClose={() => close('info')} />;
}

/** A warning for the person before they continue. */
function Warning({ conversation }: { conversation: Conversation }) {
  if (conversation.kind === 'group') {
    const { joined, isLoading } = conversation.group;
    return <>{(joined || isLoading) && <GroupProblemBanner conversation={conversation} />}</>;
  }
  return <PeerWarning conversation={conversation} />;
}

function PeerWarning({ conversation }: { conversation: DirectConversation }) {
  const { data: details } = useBridgeQuery('people.details', { address: conversation.peer.address });
  const kind = details?.problem?.kind;
  const text = details?.problem ? failureText(details.problem.failure) : '';
  if (kind === 'fork') return <ForkBanner problem={text} />;
  if (kind === 'unproven') return <UnverifiableBanner conversation={conversation} problem={text} />;
  const { devicesChange } = conversation;
  return (
    <>
      {kind === 'waiting' && <WaitingBanner problem={text} />}
      {devicesChange && <DevicesBanner change={devicesChange} conversation={conversation} />}
    </>
  );
}

/** Actions for the selected messages; else the composer, which keeps its text meanwhile. */
function BelowMessages(props: { conversation: Conversation; control: TimelineControl }) {
  const { selected } = useActions();
  return (
    <>
      {selected && <SelectionBar />}
      <div className={selected ? 'hidden' : 'contents'}>
        <AnswerPlace {...props} />
      </div>
    </>
  );
}

/** The composer, or the reason for not writing. */
function AnswerPlace({ conversation, control }: { conversation: Conversation; control: TimelineControl }) {
  const [isOpening, setIsOpening] = useState(true);
  // After the effect of the composer, which gets the focus if the chat opens with it.
  useEffect(() => setIsOpening(false), []);
  const shutOut = useShutOut();
  const isOpen = canWriteIn(conversation);
  useRefusedFiles(!isOpen || shutOut !== null);
  if (isOpen) {
    if (shutOut) return <ShutOutBanner reason={shutOut} />;
    return <Composer conversation={conversation} focusesAtOpening={isOpening} timeline={control} />;
  }
  if (conversation.kind === 'group') return <LeftBanner conversation={conversation} />;
  if (conversation.state === 'request') return <RequestBanner conversation={conversation} />;
  return <BlockedBanner conversation={conversation} />;
}

function Messages({ conversation, control }: { conversation: Conversation; control: TimelineControl }) {
  const [seenId, setSeenId] = useState<string | null>(null);
  useMarkRead(conversation, seenId);
  const { timeline, error, retry, see } = control;
  if (error) {
    return (
      <EmptyState
        action={<Button onClick={retry}>{t('common.tryAgain')}</Button>}
        text={error.message}
        title={t('chat.messagesNotLoaded')}
      />
    );
  }
  if (!timeline) return <TimelineSkeleton />;
  if (timeline.messages.length === 0) return <EmptyTimeline conversation={conversation} />;
  return (
    <TimelineView
      control={control}
      conversation={conversation}
      key={timeline.epoch}
      onSeen={(id) => {
        see(id);
        setSeenId(id);
      }}
      timeline={timeline}
      unread={conversation.unread}
    />
  );
}
