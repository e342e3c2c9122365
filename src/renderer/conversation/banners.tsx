import { Clock3, ShieldAlert, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DirectConversation, GroupConversation } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { DeleteButton } from '../people/delete-button.tsx';
import { shortAddress } from '../shared/address.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { personName } from '../shared/person.ts';
import { plainDate } from '../shared/time.ts';
import { failureText, rich, t } from '../words.tsx';

interface BannerProps {
  conversation: DirectConversation;
}

/** Stands in for the composer while an unknown person waits for an answer, or a program wrote to one. */
export function RequestBanner({ conversation }: BannerProps) {
  const { showList, closeConversation } = useNavigation();
  const accept = useCommand('conversations.accept', { onSuccess: () => showList('conversations') });
  const block = useCommand('conversations.block', { onSuccess: closeConversation });
  const { id } = conversation;
  return (
    <ComposerPlace label={t('chat.request')}>
      <RequestReason conversation={conversation} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={accept.isPending} onClick={() => accept.mutate({ id })} tone="primary">
          {t('chat.accept')}
        </Button>
        <DeleteButton conversation={conversation} />
        <Button busy={block.isPending} onClick={() => block.mutate({ id })} tone="danger">
          {t('chat.block')}
        </Button>
      </div>
    </ComposerPlace>
  );
}

function RequestReason({ conversation: { peer, peerHasWritten } }: BannerProps) {
  const who = (
    <>
      {peer.handle && peer.displayName && <bdi>@{peer.handle} · </bdi>}
      <span className="font-mono text-xs">{shortAddress(peer.address)}</span>
    </>
  );
  if (!peerHasWritten) {
    return (
      <>
        <p className="font-semibold">{rich('chat.requestByProgram', { name: personName(peer) })}</p>
        <p className="text-ink-soft text-xs">{who}</p>
        <p className="text-ink-soft leading-relaxed">{t('chat.requestByProgramText')}</p>
      </>
    );
  }
  return (
    <>
      <p className="font-semibold">{rich('chat.requestTitle', { name: personName(peer) })}</p>
      <p className="text-ink-soft text-xs">{who}</p>
      <p className="text-ink-soft leading-relaxed">{t('chat.requestText')}</p>
    </>
  );
}

export function BlockedBanner({ conversation }: BannerProps) {
  const unblock = useCommand('conversations.unblock');
  return (
    <ComposerPlace label={t('chat.blocked')}>
      <p className="font-semibold">{rich('chat.blockedTitle', { name: personName(conversation.peer) })}</p>
      <p className="text-ink-soft">{t('chat.blockedText')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={unblock.isPending} onClick={() => unblock.mutate({ id: conversation.id })}>
          {t('chat.unblock')}
        </Button>
        <DeleteButton conversation={conversation} />
      </div>
    </ComposerPlace>
  );
}

/** Stands in for the composer where the person is no member any more. */
export function LeftBanner({ conversation }: { conversation: GroupConversation }) {
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

function ComposerPlace({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="shrink-0 px-3 pt-1 pb-3 sm:px-6 sm:pb-4">
      <div className="mx-auto max-w-[54rem] rounded-2xl border border-line bg-raised p-4 shadow-raised">
        {children}
      </div>
    </section>
  );
}

/** Says why nothing is sent to a group; where the person can decide it, they go on. */
export function GroupProblemBanner({ conversation: { id, group } }: { conversation: GroupConversation }) {
  const goOn = useCommand('groups.goOn');
  const { problem } = group;
  if (!problem) return null;
  return (
    <section
      aria-label={t('chat.groupStopped')}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-wax-soft px-4 py-2.5"
    >
      <ShieldAlert aria-hidden="true" className="size-5 shrink-0 text-wax-ink" />
      <p className="min-w-48 flex-1 [overflow-wrap:anywhere]">
        {failureText(problem)}
        {group.canGoOn && ` ${t('chat.groupGoOnText')}`}
      </p>
      {group.canGoOn && (
        <Button busy={goOn.isPending} onClick={() => goOn.mutate({ conversationId: id })} size="small">
          {t('chat.groupGoOn')}
        </Button>
      )}
    </section>
  );
}

/** Says that the server shows keys for a contact that their account did not sign. */
export function UnverifiableBanner({ conversation, problem }: BannerProps & { problem: string }) {
  return (
    <section
      aria-label={t('chat.unproven')}
      className="flex items-center gap-3 border-line border-b bg-wax-soft px-4 py-2.5"
    >
      <ShieldX aria-hidden="true" className="size-5 shrink-0 text-wax-ink" />
      <p className="min-w-48 flex-1">
        {problem} {rich('chat.unprovenText', { name: personName(conversation.peer) })}
      </p>
    </section>
  );
}

/** Says that a contact has two device lists that contradict each other, and leads to the choice. */
export function ForkBanner({ problem }: { problem: string }) {
  const { detailsOpen, toggleDetails } = useNavigation();
  return (
    <section
      aria-label={t('chat.fork')}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-wax-soft px-4 py-2.5"
    >
      <ShieldX aria-hidden="true" className="size-5 shrink-0 text-wax-ink" />
      <p className="min-w-48 flex-1 [overflow-wrap:anywhere]">{problem}</p>
      {!detailsOpen && (
        <Button onClick={toggleDetails} size="small">
          {t('chat.forkAction')}
        </Button>
      )}
    </section>
  );
}

/** Says that the server doesn't show a contact's newest devices, so that messages wait. */
export function WaitingBanner({ problem }: { problem: string }) {
  return (
    <section
      aria-label={t('chat.waiting')}
      className="flex items-center gap-3 border-line border-b bg-tail-soft px-4 py-2.5"
    >
      <Clock3 aria-hidden="true" className="size-5 shrink-0 text-tail-ink" />
      <p className="min-w-48 flex-1 [overflow-wrap:anywhere]">
        {problem} {t('chat.waitingText')}
      </p>
    </section>
  );
}

type DevicesChange = NonNullable<DirectConversation['devicesChange']>;

/** Says once that a contact added or removed devices. */
export function DevicesBanner({ conversation, change }: BannerProps & { change: DevicesChange }) {
  const acknowledge = useCommand('conversations.acknowledgeDevices');
  const { detailsOpen, toggleDetails } = useNavigation();
  return (
    <section
      aria-label={t('chat.devicesChanged')}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-tail-soft px-4 py-2.5"
    >
      <ShieldAlert aria-hidden="true" className="size-5 shrink-0 text-tail-ink" />
      <p className="min-w-48 flex-1">
        {rich('chat.devicesChangedText', {
          name: personName(conversation.peer),
          date: plainDate(change.at),
        })}
      </p>
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
    </section>
  );
}
