import { X } from 'lucide-react';
import { useRef } from 'react';
import { personName } from '../../base/person-name.ts';
import type { DirectConversation } from '../../bridge/shapes/conversation.ts';
import { useBridgeQuery } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { GroupPanel } from '../groups/group-panel.tsx';
import { AddressBlock } from '../people/address-block.tsx';
import { BlockButton } from '../people/block-button.tsx';
import { DeleteButton } from '../people/delete-button.tsx';
import { Section } from '../people/details-section.tsx';
import { DeviceFacts } from '../people/device-facts.tsx';
import { Disappearing } from '../people/disappearing.tsx';
import { MuteButton } from '../people/mute-button.tsx';
import { NicknameForm } from '../people/nickname-form.tsx';
import { VerifiedState } from '../people/verification/verified-state.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { useFocusKept } from '../shared/use-focus-kept.ts';
import { useFocusWhileShown } from '../shared/use-focus-while-shown.ts';
import { rich, t } from '../words.tsx';
import { ExportButton } from './export/export-button.tsx';
import { SharedFiles } from './files/shared-files.tsx';
import { OutsideLinks } from './outside-link.tsx';
import { SharedLinks } from './shared-links.tsx';

/** The right pane: facts about a person or group, their proof, and actions. */
export function DetailsPane({ conversationId }: { conversationId: string }) {
  const { toggleDetails } = useNavigation();
  const closeButton = useRef<HTMLButtonElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  useFocusWhileShown(closeButton);
  useFocusKept(pane, closeButton);
  const { data: conversation } = useBridgeQuery('conversations.get', { id: conversationId });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from any control inside
    <div
      className="flex h-full min-h-40 flex-col"
      onKeyDown={(event) => {
        // A menu or dialog above it closes first; it is not inside of it on the page.
        const isHere = event.currentTarget.contains(event.target as Node);
        if (event.key === 'Escape' && isHere && !event.defaultPrevented) toggleDetails();
      }}
      ref={pane}
    >
      <header className="flex h-14 shrink-0 items-center justify-between border-line border-b pe-2.5 ps-5">
        <h2 className="font-semibold text-pane">{t('people.details')}</h2>
        <IconButton icon={X} label={t('people.closeDetails')} onClick={toggleDetails} ref={closeButton} />
      </header>
      {/* The key resets the scroll position for another conversation. */}
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain" key={conversationId}>
        <OutsideLinks>
          {conversation?.kind === 'direct' && <Details conversation={conversation} />}
          {conversation?.kind === 'group' && (
            <GroupPanel actions={<ExportButton conversation={conversation} />} conversation={conversation}>
              <SharedFiles conversation={conversation} />
              <SharedLinks conversation={conversation} />
            </GroupPanel>
          )}
        </OutsideLinks>
      </div>
    </div>
  );
}

function Details({ conversation }: { conversation: DirectConversation }) {
  const { peer, isSelf } = conversation;
  const { data: facts } = useBridgeQuery('people.details', { address: peer.address });
  return (
    <div className="flex flex-col gap-6 p-5">
      <div className="flex flex-col items-center gap-1 text-center">
        <Avatar person={peer} size="large" />
        <bdi className="mt-2 font-semibold text-dialog [overflow-wrap:anywhere]">{personName(peer)}</bdi>
        {peer.handle && (peer.nickname || peer.displayName) && (
          <bdi className="text-ink-soft [overflow-wrap:anywhere]">@{peer.handle}</bdi>
        )}
        {peer.handleVerified && (
          <span className="text-ink-soft text-meta">{t('people.handleConfirmed')}</span>
        )}
        {facts?.about && <bdi className="mt-2 text-ink-soft [overflow-wrap:anywhere]">{facts.about}</bdi>}
      </div>
      {!isSelf && <NicknameForm key={peer.address} person={peer} />}
      <Section title={t('people.address')}>
        <AddressBlock address={peer.address} />
        {!isSelf && (
          <>
            <p className="text-ink-soft">{rich('people.addressText', { name: personName(peer) })}</p>
            <VerifiedState conversation={conversation} />
          </>
        )}
      </Section>
      <SharedFiles conversation={conversation} />
      <SharedLinks conversation={conversation} />
      <Disappearing conversation={conversation} />
      <DeviceFacts address={peer.address} />
      <div className="flex flex-wrap gap-2">
        <MuteButton conversation={conversation} />
        {!isSelf && <BlockButton conversation={conversation} />}
        <ExportButton conversation={conversation} />
        <DeleteButton conversation={conversation} label={t('chat.deleteChat')} />
      </div>
    </div>
  );
}
