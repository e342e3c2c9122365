import type { FailureCode } from '../../base/failure.ts';
import type { Message } from '../../bridge/shapes/message.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { BridgeFailure } from '../bridge-failure.ts';
import { Button } from '../design/button.tsx';
import { GroupAvatar } from '../design/conversation-face.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { shownName } from '../people/shown-name.ts';
import { useNavigation } from '../shared/navigation.tsx';
import { useMayAct } from '../shared/use-shut-out.ts';
import { t } from '../words.tsx';
import { articleOf } from './actions/action-state.tsx';

/** An invitation to a group: the inviter, their name for the group, and a button to join. */
export function InviteCard({ message }: { message: Message }) {
  const [groupId, name] = [String(message.fields.groupId), String(message.fields.name)];
  const isOwn = message.state !== 'received';
  return (
    <div className="flex min-w-56 flex-col items-start gap-3 whitespace-normal pt-1">
      <div className="flex max-w-full items-center gap-3">
        <GroupAvatar group={{ groupId, name }} size="small" />
        <span className="min-w-0">
          <span className="block text-ink-soft text-meta">
            {isOwn ? t('chat.inviteSent') : t('chat.invite', { author: shownName(message.author) })}
          </span>
          <bdi className="block font-semibold [overflow-wrap:anywhere]">{name}</bdi>
        </span>
      </div>
      {!isOwn && <Entrance groupId={groupId} message={message} />}
    </div>
  );
}

/** Failures after which another attempt with this invitation fails, too. */
const FINAL: ReadonlySet<FailureCode> = new Set(['group_invitation_over', 'group_not_found']);
/** The same of the group's rules. */
const FINAL_REASONS: ReadonlySet<string> = new Set([
  'ticket_void',
  'ticket_expired',
  'ticket_signer',
  'ticket_needed',
]);

function isFinal(error: Error | null): boolean {
  if (!(error instanceof BridgeFailure)) return false;
  const { data } = error;
  if (data.code === 'roster_act_refused') return FINAL_REASONS.has(data.parameters.reason);
  return FINAL.has(data.code);
}

function Entrance({ message, groupId }: { message: Message; groupId: string }) {
  const { id, conversationId } = message;
  const { openConversation } = useNavigation();
  const { data: conversations } = useBridgeQuery('conversations.list', {});
  const join = useCommand('groups.join', {
    showsFailure: true,
    onSuccess: (joined) => openConversation(joined.id),
    onError: (error) => {
      // The button disappears, and with it the focus.
      if (isFinal(error)) articleOf(id)?.focus();
    },
  });
  const mayAct = useMayAct();
  // Hidden until it is known whether the person has accepted the inviter.
  if (!conversations) return <Skeleton className="h-8 w-24" />;
  const joined = conversations.find(
    (each) => each.kind === 'group' && each.group.joined && each.group.groupId === groupId,
  );
  if (joined) {
    return (
      <Button onClick={() => openConversation(joined.id)} size="small">
        {t('chat.inviteOpen')}
      </Button>
    );
  }
  if (!mayAct) return null;
  if (conversations.find((each) => each.id === conversationId)?.state === 'request') {
    return <p className="text-ink-soft text-interface">{t('chat.inviteAccept')}</p>;
  }
  return (
    <>
      {!isFinal(join.error) && (
        <Button
          busy={join.isPending}
          onClick={() => join.mutate({ groupId, password: null })}
          size="small"
          tone="primary"
        >
          {t('chat.inviteJoin')}
        </Button>
      )}
      <p aria-live="polite" className="text-interface text-danger-ink empty:hidden">
        {join.error?.message}
      </p>
    </>
  );
}
