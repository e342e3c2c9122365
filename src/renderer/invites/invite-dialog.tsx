import { useEffect, useEffectEvent } from 'react';
import { shortAddress } from '../../base/person-name.ts';
import type { Output } from '../../bridge/contract.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { ButtonRow } from '../design/button-row.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { showOnce } from '../design/toasts.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { useShutOut } from '../shared/use-shut-out.ts';
import { failureText, t } from '../words.tsx';

type Invite = Output<'invites.read'>;

interface InviteDialogProps {
  /** An invite link from outside; null for none. */
  text: string | null;
  onClose: () => void;
}

/** Confirmation for an invite link: the group or person that it names, or the reason why it cannot be used. */
export function InviteDialog({ text, onClose }: InviteDialogProps) {
  const enabled = text !== null;
  const shutOut = useShutOut();
  const { data: invite, error } = useBridgeQuery('invites.read', { text: text ?? '' }, { enabled });
  return (
    <Dialog
      onClose={onClose}
      open={enabled}
      title={invite?.isSameServer ? titleOf(invite) : t('invites.title')}
    >
      <div className="flex flex-col gap-4 p-5">
        {enabled && !invite && !error && (
          <>
            <p className="sr-only" role="status">
              {t('invites.reading')}
            </p>
            <Skeleton className="h-16" />
          </>
        )}
        {error && <Unusable onClose={onClose} reason={error.message} />}
        {invite && !invite.isSameServer && (
          <Unusable
            onClose={onClose}
            reason={failureText({
              code: 'invite_elsewhere',
              parameters: { server: hostOf(invite.server) },
            })}
          />
        )}
        {enabled &&
          invite?.isSameServer &&
          (shutOut && !isMemberOf(invite) ? (
            <Unusable onClose={onClose} reason={failureText(shutOut)} />
          ) : (
            <Question invite={invite} onClose={onClose} text={text} />
          ))}
      </div>
    </Dialog>
  );
}

function Unusable({ reason, onClose }: { reason: string; onClose: () => void }) {
  return (
    <>
      <p role="alert">{reason}</p>
      <ButtonRow>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </ButtonRow>
    </>
  );
}

function Question({ invite, text, onClose }: { invite: Invite; text: string; onClose: () => void }) {
  const { openConversation } = useNavigation();
  const accept = useCommand('invites.accept', { showsFailure: true });
  const isMember = isMemberOf(invite);
  const follow = () =>
    accept.mutate(
      { text },
      {
        // Only while this question is shown: another link may have a dialog meanwhile.
        onSuccess: ({ conversationId }) => {
          onClose();
          openConversation(conversationId);
          if (isMember) showOnce(t('invites.member'));
        },
      },
    );
  const openAtOnce = useEffectEvent(follow);
  // There is nothing to confirm.
  useEffect(() => {
    if (isMember) openAtOnce();
  }, [isMember]);
  return (
    <>
      <div className="flex flex-col gap-2 text-ink-soft">
        <p className="[overflow-wrap:anywhere]">{t('invites.server', { server: hostOf(invite.server) })}</p>
        {invite.to === 'group' && invite.name === null && <p>{t('invites.groupUnknown')}</p>}
        <p className="[overflow-wrap:anywhere]">
          {invite.to === 'group' ? t('groups.joinText') : t('app.linkText', { address: invite.address })}
        </p>
        {invite.to === 'person' && invite.handle !== null && (
          <p className="[overflow-wrap:anywhere]">
            {t('invites.handleStated', { handle: `@${invite.handle}` })}
          </p>
        )}
      </div>
      {accept.error && (
        <p className="text-danger-ink" role="alert">
          {accept.error.message}
        </p>
      )}
      <ButtonRow>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button busy={accept.isPending} onClick={follow} tone="primary">
          {invite.to === 'group' ? t('groups.join') : t('app.linkAction')}
        </Button>
      </ButtonRow>
    </>
  );
}

function isMemberOf(invite: Invite): boolean {
  return invite.to === 'group' && invite.isMember;
}

function titleOf(invite: Invite): string {
  if (invite.to === 'person')
    return t('invites.personTitle', {
      name: invite.handle === null ? shortAddress(invite.address) : `@${invite.handle}`,
    });
  return invite.name === null
    ? t('invites.groupTitleUnknown')
    : t('invites.groupTitle', { name: invite.name });
}

function hostOf(server: string): string {
  return new URL(server).host;
}
