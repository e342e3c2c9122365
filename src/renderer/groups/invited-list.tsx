import { personName } from '../../base/person-name.ts';
import type { GroupDetails } from '../../bridge/shapes/group.ts';
import { useCommand } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { announce } from '../shared/announcements.tsx';
import { WhileAccepted } from '../shared/while-accepted.tsx';
import { t } from '../words.tsx';

/** Invited people who have not joined yet; the owner can cancel each invitation. */
export function InvitedList({ details }: { details: GroupDetails }) {
  const { conversationId, invited } = details;
  const withdraw = useCommand('groups.withdrawInvitation', {
    onSuccess: (_, { address }) => {
      const person = invited?.find((each) => each.address === address);
      if (person) announce(t('groups.inviteCanceled', { name: personName(person) }));
    },
  });
  if (!invited) return null;
  // Without the list, the place of a focused Cancel button would be unknown after the last invitation.
  return (
    <ul aria-label={t('groups.invited')} hidden={invited.length === 0}>
      {invited.map((person) => (
        <li className="flex items-center gap-3 py-1.5" key={person.address}>
          <Avatar person={person} size="small" />
          <span className="min-w-0 flex-1">
            <bdi className="block truncate font-semibold">{personName(person)}</bdi>
            <span className="block text-ink-soft text-meta">{t('groups.invitedText')}</span>
          </span>
          <WhileAccepted>
            <Button
              aria-label={t('groups.inviteCancelOf', { name: personName(person) })}
              busy={withdraw.isPending && withdraw.variables.address === person.address}
              onClick={() => withdraw.mutate({ conversationId, address: person.address })}
              size="small"
            >
              {t('groups.inviteCancel')}
            </Button>
          </WhileAccepted>
        </li>
      ))}
    </ul>
  );
}
