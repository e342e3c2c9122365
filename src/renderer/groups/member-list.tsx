import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import type { GroupDetails, GroupMember } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { counted } from '../shared/count.ts';
import { personName } from '../shared/person.ts';
import { SendAgainIcon } from './returned-member.tsx';

/** Everybody in the group; the creator can remove others. */
export function MemberList({ details }: { details: GroupDetails }) {
  const { conversationId, group, members } = details;
  const [leaving, setLeaving] = useState<GroupMember | null>(null);
  const remove = useCommand('groups.removeMember');
  return (
    <>
      <ul>
        {members.map((member) => (
          <li className="flex items-center gap-3 py-1.5" key={member.person.address}>
            <Avatar person={member.person} size="small" />
            <span className="min-w-0 flex-1 leading-tight">
              <bdi className="block truncate font-semibold">{personName(member.person)}</bdi>
              <span className="block text-ink-soft text-xs [overflow-wrap:anywhere]">{noteOf(member)}</span>
            </span>
            {member.unconfirmed && !member.isMe && (
              <SendAgainIcon conversationId={conversationId} person={member.person} />
            )}
            {group.isCreator && !member.isMe && (
              <IconButton
                icon={UserMinus}
                label={`Remove ${personName(member.person)}`}
                onClick={() => setLeaving(member)}
              />
            )}
          </li>
        ))}
      </ul>
      <Confirmation
        action="Remove"
        explanation={`They get nothing new from this group. What they have already, they keep. ${
          group.hasPassword
            ? 'If they know the password, change it: with it they could join again.'
            : 'The group has no password, so they could join again.'
        }`}
        onClose={() => setLeaving(null)}
        onConfirm={() => leaving && remove.mutate({ conversationId, address: leaving.person.address })}
        open={leaving !== null}
        title={leaving ? `Remove ${personName(leaving.person)}?` : ''}
      />
    </>
  );
}

function noteOf({ devices, isCreator, isMe, problem, unconfirmed }: GroupMember): string {
  if (unconfirmed)
    return 'The server says this person is back. Can’t read what you write until you confirm it.';
  if (problem !== null) return problem;
  return [isMe && 'You', isCreator && 'made this group', counted(devices, 'device')]
    .filter(Boolean)
    .join(', ');
}
