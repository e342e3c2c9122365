import { Clock3, ShieldAlert, ShieldX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { FailureData } from '../../base/failure.ts';
import { personName, shortAddress } from '../../base/person-name.ts';
import type { DirectConversation, GroupConversation } from '../../bridge/shapes/conversation.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { BlockButton } from '../people/block-button.tsx';
import { DeleteButton } from '../people/delete-button.tsx';
import { Banner } from '../shared/banner.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { plainDate } from '../shared/time.ts';
import { useClosingWhenShutOut, useMayAct } from '../shared/use-shut-out.ts';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { failureText, rich, t } from '../words.tsx';
import { ShutOutButton } from './connection-card.tsx';

interface BannerProps {
  conversation: DirectConversation;
}

/** Replaces the composer for a request of an unknown person, or a chat started by a program. */
export function RequestBanner({ conversation }: BannerProps) {
  const { showList, closeConversation } = useNavigation();
  const accept = useCommand('conversations.accept', { onSuccess: () => showList('conversations') });
  const { id } = conversation;
  return (
    <ComposerPlace label={t('chat.request')}>
      <RequestReason conversation={conversation} />
      <div className="mt-3 flex flex-wrap gap-2">
        <WhileAccepted>
          <Button busy={accept.isPending} onClick={() => accept.mutate({ id })} tone="primary">
            {t('chat.accept')}
          </Button>
        </WhileAccepted>
        <DeleteButton conversation={conversation} />
        <BlockButton conversation={conversation} onBlocked={closeConversation} />
      </div>
    </ComposerPlace>
  );
}

function RequestReason({ conversation: { peer, peerHasWritten } }: BannerProps) {
  const who = (
    <>
      {peer.handle && peer.displayName && <bdi>@{peer.handle} · </bdi>}
      <span className="font-mono text-meta">{shortAddress(peer.address)}</span>
    </>
  );
  if (!peerHasWritten) {
    return (
      <>
        <p className="font-semibold">{rich('chat.requestByProgram', { name: personName(peer) })}</p>
        <p className="text-ink-soft text-meta">{who}</p>
        <p className="text-ink-soft">{t('chat.requestByProgramText')}</p>
      </>
    );
  }
  return (
    <>
      <p className="font-semibold">{rich('chat.requestTitle', { name: personName(peer) })}</p>
      <p className="text-ink-soft text-meta">{who}</p>
      <p className="text-ink-soft">{t('chat.requestText')}</p>
    </>
  );
}

export function BlockedBanner({ conversation }: BannerProps) {
  const { closeConversation } = useNavigation();
  // An empty chat that only the block made is removed.
  const unblock = useCommand('conversations.unblock', { onSuccess: (left) => left ?? closeConversation() });
  return (
    <ComposerPlace label={t('chat.blocked')}>
      <p className="font-semibold">{rich('chat.blockedTitle', { name: personName(conversation.peer) })}</p>
      <p className="text-ink-soft">{t('chat.blockedText')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <WhileAccepted>
          <Button busy={unblock.isPending} onClick={() => unblock.mutate({ id: conversation.id })}>
            {t('chat.unblock')}
          </Button>
        </WhileAccepted>
        <DeleteButton conversation={conversation} />
      </div>
    </ComposerPlace>
  );
}

/** Replaces the composer after the person has left or was removed, and until the members of a restored group are known. */
export function LeftBanner({ conversation }: { conversation: GroupConversation }) {
  if (conversation.group.isLoading) {
    return (
      <ComposerPlace label={t('chat.membersLoading')}>
        <p className="font-semibold">{t('chat.membersLoading')}</p>
        <p className="text-ink-soft">{t('chat.membersLoadingText')}</p>
      </ComposerPlace>
    );
  }
  return (
    <ComposerPlace label={t('chat.former')}>
      <p className="font-semibold">{t('chat.formerTitle')}</p>
      <p className="text-ink-soft">{t('chat.formerText')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <DeleteButton conversation={conversation} />
      </div>
    </ComposerPlace>
  );
}

/** Replaces the composer while the server no longer accepts this computer. Wider windows show reason and next step below the list. */
export function ShutOutBanner({ reason }: { reason: FailureData }) {
  return (
    <ComposerPlace label={t('chat.shutOut')}>
      <p className="font-semibold">{t('chat.shutOut')}</p>
      <div className="@min-[47.5rem]/window:hidden">
        <p className="text-ink-soft">{failureText(reason)}</p>
        <ShutOutButton className="mt-3" />
      </div>
    </ComposerPlace>
  );
}

function ComposerPlace({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="shrink-0 px-3 pt-1 pb-3 sm:px-6 sm:pb-4">
      <div className="mx-auto max-w-[54rem] rounded-menu border border-line bg-raised p-4 shadow-raised">
        {children}
      </div>
    </section>
  );
}

/** Shows why nothing is sent to a group. If the person can decide to continue, asks for confirmation. */
export function GroupProblemBanner({ conversation: { id, group } }: { conversation: GroupConversation }) {
  const [asking, setAsking] = useState(false);
  const goOn = useCommand('groups.goOn');
  const mayAct = useMayAct();
  useClosingWhenShutOut(() => setAsking(false));
  const { name, problem } = group;
  const canGoOn = group.canGoOn && mayAct;
  if (!problem) return null;
  return (
    <Banner
      icon={ShieldAlert}
      label={t('chat.groupStopped')}
      text={`${failureText(problem)}${canGoOn ? ` ${t('chat.groupGoOnText')}` : ''}`}
      tone="danger"
    >
      {canGoOn && (
        <Button busy={goOn.isPending} onClick={() => setAsking(true)} size="small">
          {t('chat.groupGoOn')}
        </Button>
      )}
      <Confirmation
        action={t('chat.groupGoOn')}
        tone="primary"
        explanation={t('chat.groupGoOnWarning')}
        onClose={() => setAsking(false)}
        onConfirm={() => goOn.mutate({ conversationId: id })}
        open={asking}
        title={t('chat.groupGoOnTitle', { name })}
      />
    </Banner>
  );
}

/** Warns that the server shows keys for a contact that their account did not sign. */
export function UnverifiableBanner({ conversation, problem }: BannerProps & { problem: string }) {
  return (
    <Banner
      icon={ShieldX}
      label={t('chat.unproven')}
      text={
        <>
          {problem} {rich('chat.unprovenText', { name: personName(conversation.peer) })}
        </>
      }
      tone="danger"
    />
  );
}

/** Warns that a contact has two contradicting device lists, with a link to the choice. */
export function ForkBanner({ problem }: { problem: string }) {
  const { detailsOpen, toggleDetails } = useNavigation();
  return (
    <Banner icon={ShieldX} label={t('chat.fork')} text={problem} tone="danger">
      {!detailsOpen && (
        <Button onClick={toggleDetails} size="small">
          {t('chat.forkAction')}
        </Button>
      )}
    </Banner>
  );
}

/** Warns that the server hides a contact's newest devices, so that messages wait. */
export function WaitingBanner({ problem }: { problem: string }) {
  return (
    <Banner
      icon={Clock3}
      label={t('chat.waiting')}
      text={
        <>
          {problem} {t('chat.waitingText')}
        </>
      }
      tone="notice"
    />
  );
}

type DevicesChange = NonNullable<DirectConversation['devicesChange']>;

/** Reports once that a contact added or removed devices. */
export function DevicesBanner({ conversation, change }: BannerProps & { change: DevicesChange }) {
  const acknowledge = useCommand('conversations.acknowledgeDevices');
  const { detailsOpen, toggleDetails } = useNavigation();
  return (
    <Banner
      icon={ShieldAlert}
      label={t('chat.devicesChanged')}
      text={rich('chat.devicesChangedText', {
        name: personName(conversation.peer),
        date: plainDate(change.at),
      })}
      tone="notice"
    >
      <div className="flex gap-1">
        {!detailsOpen && (
          <Button onClick={toggleDetails} size="small" tone="quiet">
            {t('chat.seeDevices')}
          </Button>
        )}
        <Button
          busy={acknowledge.isPending}
          onClick={() => acknowledge.mutate({ id: conversation.id })}
          size="small"
        >
          {t('chat.dismiss')}
        </Button>
      </div>
    </Banner>
  );
}
