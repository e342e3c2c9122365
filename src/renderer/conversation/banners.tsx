import { Clock3, ShieldAlert, ShieldX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DirectConversation, GroupConversation } from '../../bridge/shapes.ts';
import { useAsk, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { DeleteButton } from '../people/delete-button.tsx';
import { shortAddress } from '../shared/address.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { personName } from '../shared/person.ts';
import { plainDate } from '../shared/time.ts';

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
    <ComposerPlace label="Message request">
      <RequestReason conversation={conversation} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={accept.isPending} onClick={() => accept.mutate({ id })} tone="primary">
          Accept
        </Button>
        <DeleteButton conversation={conversation} />
        <Button busy={block.isPending} onClick={() => block.mutate({ id })} tone="danger">
          Block
        </Button>
      </div>
    </ComposerPlace>
  );
}

function RequestReason({ conversation: { peer, peerHasWritten } }: BannerProps) {
  const who = (
    <>
      {peer.handle && peer.displayName ? `@${peer.handle}, ` : ''}
      <span className="font-mono text-xs">{shortAddress(peer.address)}</span>.
    </>
  );
  if (!peerHasWritten) {
    return (
      <>
        <p className="font-semibold">
          A program wrote to <bdi>{personName(peer)}</bdi> with your API key
        </p>
        <p className="text-ink-soft leading-relaxed">{who} What they answer is a request until you accept.</p>
      </>
    );
  }
  return (
    <>
      <p className="font-semibold">
        <bdi>{personName(peer)}</bdi> would like to write to you
      </p>
      <p className="text-ink-soft leading-relaxed">
        {who} They will not know that you have seen this until you accept.
      </p>
    </>
  );
}

export function BlockedBanner({ conversation }: BannerProps) {
  const unblock = useCommand('conversations.unblock');
  return (
    <ComposerPlace label="Blocked">
      <p className="font-semibold">
        You blocked <bdi>{personName(conversation.peer)}</bdi>
      </p>
      <p className="text-ink-soft">What they write is not shown to you, and they are not told.</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button busy={unblock.isPending} onClick={() => unblock.mutate({ id: conversation.id })}>
          Unblock
        </Button>
        <DeleteButton conversation={conversation} />
      </div>
    </ComposerPlace>
  );
}

/** Stands in for the composer where the person is no member any more. */
export function LeftBanner({ conversation }: { conversation: GroupConversation }) {
  if (conversation.group.isShownAgain) return <ShownAgainBanner conversation={conversation} />;
  return (
    <ComposerPlace label="Left">
      <p className="font-semibold">You are no longer in this group</p>
      <p className="text-ink-soft">
        What was said stays on this device. Nothing new comes, and nothing can be sent. If you did not leave
        it, you were removed, or the server went back to a backup from before you joined: then join again, or
        ask for a new group.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <DeleteButton conversation={conversation} />
      </div>
    </ComposerPlace>
  );
}

/** The person left or was removed, and the relay shows them as a member again: only they know whether that is right. */
function ShownAgainBanner({ conversation }: { conversation: GroupConversation }) {
  const { data: state } = useAsk('app.state', {});
  const confirm = useCommand('groups.confirmMember');
  const address = state?.me?.address;
  return (
    <ComposerPlace label="Back in the group">
      <p className="font-semibold">The server says you’re in this group again</p>
      <p className="text-ink-soft">
        You left it or were removed. If you joined again on another computer, you can return here.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          busy={confirm.isPending}
          onClick={() => address && confirm.mutate({ conversationId: conversation.id, address })}
          tone="primary"
        >
          Return to group
        </Button>
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

/** Warns that members are shown different lists of members. */
export function MembersBanner({ conversation }: { conversation: GroupConversation }) {
  const acknowledge = useCommand('groups.acknowledgeMembers');
  return (
    <section
      aria-label="Members differ"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-tail-soft px-4 py-2.5"
    >
      <ShieldAlert aria-hidden="true" className="size-5 shrink-0 text-tail-ink" />
      <p className="min-w-48 flex-1">
        A member was shown another list of members than you. The relay may be hiding somebody who reads along:
        compare the members with each other before you go on.
      </p>
      <Button
        busy={acknowledge.isPending}
        onClick={() => acknowledge.mutate({ conversationId: conversation.id })}
        size="small"
      >
        OK, noted
      </Button>
    </section>
  );
}

/** Says that the relay shows keys for a contact that their wallet did not certify. */
export function UnverifiableBanner({ problem }: { problem: string }) {
  return (
    <section
      aria-label="Cannot be verified"
      className="flex items-center gap-3 border-line border-b bg-wax-soft px-4 py-2.5"
    >
      <ShieldX aria-hidden="true" className="size-5 shrink-0 text-wax-ink" />
      <p className="min-w-48 flex-1">
        {problem} Ask them over another way whether they set up their devices anew. If they did not, do not
        trust this relay.
      </p>
    </section>
  );
}

/** Says that a contact has two device lists that contradict each other, and leads to the choice. */
export function ForkBanner({ problem }: { problem: string }) {
  const { detailsOpen, toggleDetails } = useNavigation();
  return (
    <section
      aria-label="Two device lists"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-wax-soft px-4 py-2.5"
    >
      <ShieldX aria-hidden="true" className="size-5 shrink-0 text-wax-ink" />
      <p className="min-w-48 flex-1 [overflow-wrap:anywhere]">{problem}</p>
      {!detailsOpen && (
        <Button onClick={toggleDetails} size="small">
          Compare lists
        </Button>
      )}
    </section>
  );
}

/** Says that the server doesn't show a contact's newest devices, so that messages wait. */
export function WaitingBanner({ problem }: { problem: string }) {
  return (
    <section
      aria-label="Waiting for devices"
      className="flex items-center gap-3 border-line border-b bg-tail-soft px-4 py-2.5"
    >
      <Clock3 aria-hidden="true" className="size-5 shrink-0 text-tail-ink" />
      <p className="min-w-48 flex-1 [overflow-wrap:anywhere]">
        {problem} Your messages are sent when it does.
      </p>
    </section>
  );
}

type DevicesChange = NonNullable<DirectConversation['devicesChange']>;

/** What a contact did to their devices: "added a device", "removed 2 devices", "added a device and removed a device". */
function changeText({ added, removed }: DevicesChange): string {
  const some = (count: number) => (count === 1 ? 'a device' : `${count} devices`);
  return [added > 0 && `added ${some(added)}`, removed > 0 && `removed ${some(removed)}`]
    .filter(Boolean)
    .join(' and ');
}

/** Says once which devices a contact added or removed. */
export function DevicesBanner({ conversation, change }: BannerProps & { change: DevicesChange }) {
  const acknowledge = useCommand('conversations.acknowledgeDevices');
  const { detailsOpen, toggleDetails } = useNavigation();
  return (
    <section
      aria-label="Devices changed"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-tail-soft px-4 py-2.5"
    >
      <ShieldAlert aria-hidden="true" className="size-5 shrink-0 text-tail-ink" />
      <p className="min-w-48 flex-1">
        <bdi>{personName(conversation.peer)}</bdi> {changeText(change)}, seen on {plainDate(change.at)}. Their
        account signed this.
      </p>
      <div className="flex gap-1">
        {!detailsOpen && (
          <Button onClick={toggleDetails} size="small" tone="quiet">
            See devices
          </Button>
        )}
        <Button
          busy={acknowledge.isPending}
          onClick={() => acknowledge.mutate({ id: conversation.id })}
          size="small"
        >
          OK, noted
        </Button>
      </div>
    </section>
  );
}
