import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import type { GroupDetails, GroupMember } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { personName } from '../shared/person.ts';
import { failureText, t } from '../words.tsx';
import { SendAgainIcon } from './returned-member.tsx';

/** Everyone in the group; the owner can remove others. */
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
                label={t('groups.removeMember', { name: personName(member.person) })}
                onClick={() => setLeaving(member)}
              />
            )}
          </li>
        ))}
      </ul>
      <Confirmation
        action={t('groups.removeAction')}
        explanation={group.hasPassword ? t('groups.removeText') : t('groups.removeTextOpen')}
        onClose={() => setLeaving(null)}
        onConfirm={() => leaving && remove.mutate({ conversationId, address: leaving.person.address })}
        open={leaving !== null}
        title={leaving ? t('groups.removeTitle', { name: personName(leaving.person) }) : ''}
      />
    </>
  );
}

function noteOf({ devices, isCreator, isMe, problem, unconfirmed }: GroupMember): string {
  if (unconfirmed) return t('groups.returned');
  if (problem !== null) return failureText(problem);
  return [isMe && t('groups.you'), isCreator && t('groups.owner'), t('groups.devices', { count: devices })]
    .filter(Boolean)
    .join(' · ');
}
