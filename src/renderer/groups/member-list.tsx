import { ShieldMinus, ShieldPlus, UserMinus } from 'lucide-react';
import { useState } from 'react';
import type { GroupDetails, GroupMember } from '../../bridge/shapes.ts';
import { useCommand } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { personName } from '../shared/person.ts';
import { failureText, t } from '../words.tsx';

/** Everyone in the group; the owner and admins can remove others. */
export function MemberList({ details }: { details: GroupDetails }) {
  const { conversationId, group, members } = details;
  const [leaving, setLeaving] = useState<GroupMember | null>(null);
  const remove = useCommand('groups.removeMember');
  const setAdmin = useCommand('groups.setAdmin');
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
            {group.isCreator && !member.isMe && (
              <IconButton
                icon={member.isAdmin ? ShieldMinus : ShieldPlus}
                label={t(member.isAdmin ? 'groups.endAdmin' : 'groups.makeAdmin', {
                  name: personName(member.person),
                })}
                onClick={() =>
                  setAdmin.mutate({
                    conversationId,
                    address: member.person.address,
                    isAdmin: !member.isAdmin,
                  })
                }
              />
            )}
            {mayRemove(details.group, member) && (
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
        explanation={t('groups.removeText')}
        onClose={() => setLeaving(null)}
        onConfirm={() => leaving && remove.mutate({ conversationId, address: leaving.person.address })}
        open={leaving !== null}
        title={leaving ? t('groups.removeTitle', { name: personName(leaving.person) }) : ''}
      />
    </>
  );
}

/** Admins remove those who are none; nobody removes the owner. */
function mayRemove({ isCreator, isAdmin }: GroupDetails['group'], member: GroupMember): boolean {
  if (member.isMe || member.isCreator) return false;
  return isCreator || (isAdmin && !member.isAdmin);
}

function noteOf({ devices, isAdmin, isCreator, isMe, problem }: GroupMember): string {
  if (problem !== null) return failureText(problem);
  return [
    isMe && t('groups.you'),
    isCreator && t('groups.owner'),
    isAdmin && t('groups.admin'),
    t('groups.devices', { count: devices }),
  ]
    .filter(Boolean)
    .join(' · ');
}
