import { CircleCheck, Crown, ShieldMinus, ShieldPlus, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { namesakesIn } from '../../base/person-name.ts';
import type { GroupDetails, GroupMember } from '../../bridge/shapes/group.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { distinctNameIn } from '../../words/distinct-name.ts';
import { useBridgeQuery, useCommand } from '../bridge.ts';
import { Avatar } from '../design/avatar.tsx';
import { Confirmation } from '../design/dialog.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { ChoiceButton } from '../people/person-button.tsx';
import { useOpenPerson } from '../people/use-open-person.ts';
import { announce } from '../shared/announcements.tsx';
import { useClosingWhenShutOut, useMayAct } from '../shared/use-shut-out.ts';
import { failureText, t, words } from '../words.tsx';
import { inOrder } from './member-order.ts';

/** All members, each of whom opens the chat with them, and the actions of owner and admins. */
export function MemberList({ details }: { details: GroupDetails }) {
  const { conversationId, group, members } = details;
  const [leaving, setLeaving] = useState<GroupMember | null>(null);
  const [heir, setHeir] = useState<GroupMember | null>(null);
  const hasNamesake = namesakesIn(members.map(({ person }) => person));
  const nameOf = (person: Person) => distinctNameIn(words, person, hasNamesake(person));
  /** Announces the new state of a member, who may be gone from the list by then. */
  const announceOf = (key: 'removed' | 'isAdminNow' | 'isNoAdminNow' | 'isOwnerNow', address: string) => {
    const found = members.find(({ person }) => person.address === address);
    if (found) announce(t(`groups.${key}`, { name: nameOf(found.person) }));
  };
  const remove = useCommand('groups.removeMember', {
    onSuccess: (_, { address }) => announceOf('removed', address),
  });
  const transfer = useCommand('groups.transfer', {
    onSuccess: (_, { address }) => announceOf('isOwnerNow', address),
  });
  const setAdmin = useCommand('groups.setAdmin', {
    onSuccess: (_, { address, isAdmin }) => announceOf(isAdmin ? 'isAdminNow' : 'isNoAdminNow', address),
  });
  const unblock = useCommand('conversations.unblock');
  const { data: conversations = [] } = useBridgeQuery('conversations.list', {});
  const mayAct = useMayAct();
  const { openPerson, openKnown } = useOpenPerson();
  useClosingWhenShutOut(() => {
    setHeir(null);
    setLeaving(null);
  });
  /** The chat with a blocked person, by their address: there the block is removed. */
  const blocked = new Map(
    conversations.flatMap((each) =>
      each.kind === 'direct' && each.state === 'blocked' ? [[each.peer.address, each.id]] : [],
    ),
  );
  return (
    <>
      <ul aria-label={t('groups.membersTitle')} className="-mx-2">
        {inOrder(members).map((member) => {
          const blockedIn = blocked.get(member.person.address);
          return (
            <li className="flex items-center gap-1" key={member.person.address}>
              {member.isMe ? (
                <div className="flex min-w-0 flex-1 items-center gap-3 p-2">
                  <MemberLine isBlocked={false} member={member} name={nameOf(member.person)} />
                </div>
              ) : (
                <ChoiceButton onChoose={() => (mayAct ? openKnown : openPerson)(member.person.address)}>
                  <MemberLine
                    isBlocked={blockedIn !== undefined}
                    member={member}
                    name={nameOf(member.person)}
                  />
                </ChoiceButton>
              )}
              {((blockedIn !== undefined && mayAct) ||
                mayRemove(group, member) ||
                (group.isCreator && !member.isMe)) && (
                <Menu label={t('groups.memberMenu', { name: nameOf(member.person) })}>
                  {blockedIn !== undefined && (
                    <MenuItem
                      icon={CircleCheck}
                      label={t('chat.unblock')}
                      onClick={() => unblock.mutate({ id: blockedIn })}
                    />
                  )}
                  {group.isCreator && (
                    <>
                      <MenuItem
                        icon={member.isAdmin ? ShieldMinus : ShieldPlus}
                        label={t(member.isAdmin ? 'groups.endAdmin' : 'groups.makeAdmin')}
                        onClick={() =>
                          setAdmin.mutate({
                            conversationId,
                            address: member.person.address,
                            isAdmin: !member.isAdmin,
                          })
                        }
                      />
                      <MenuItem icon={Crown} label={t('groups.makeOwner')} onClick={() => setHeir(member)} />
                    </>
                  )}
                  {mayRemove(group, member) && (
                    <MenuItem
                      icon={UserMinus}
                      isDangerous
                      label={t('groups.removeAction')}
                      onClick={() => setLeaving(member)}
                    />
                  )}
                </Menu>
              )}
            </li>
          );
        })}
      </ul>
      <Confirmation
        action={t('groups.removeAction')}
        explanation={t('groups.removeText')}
        onClose={() => setLeaving(null)}
        onConfirm={() => leaving && remove.mutate({ conversationId, address: leaving.person.address })}
        open={leaving !== null}
        title={leaving ? t('groups.removeTitle', { name: nameOf(leaving.person) }) : ''}
      />
      <Confirmation
        action={t('groups.makeOwner')}
        tone="primary"
        explanation={t('groups.makeOwnerText')}
        onClose={() => setHeir(null)}
        onConfirm={() => heir && transfer.mutate({ conversationId, address: heir.person.address })}
        open={heir !== null}
        title={heir ? t('groups.makeOwnerTitle', { name: nameOf(heir.person) }) : ''}
      />
    </>
  );
}

function MemberLine({ member, name, isBlocked }: { member: GroupMember; name: string; isBlocked: boolean }) {
  return (
    <>
      <Avatar person={member.person} size="small" />
      <span className="min-w-0 flex-1">
        <bdi className="block font-semibold [overflow-wrap:anywhere]">{name}</bdi>
        <span className="block text-ink-soft text-meta [overflow-wrap:anywhere]">
          {noteOf(member, isBlocked)}
        </span>
      </span>
    </>
  );
}

/** Admins remove members who are not admins; no one removes the owner. */
function mayRemove({ isCreator, isAdmin }: GroupDetails['group'], member: GroupMember): boolean {
  if (member.isMe || member.isCreator) return false;
  return isCreator || (isAdmin && !member.isAdmin);
}

function noteOf({ devices, isAdmin, isCreator, isMe, problem }: GroupMember, isBlocked: boolean): string {
  if (problem !== null && !isBlocked) return failureText(problem);
  return [
    isMe && t('groups.you'),
    isBlocked && t('chat.blocked'),
    isCreator && t('groups.owner'),
    isAdmin && t('groups.admin'),
    problem === null ? t('groups.devices', { count: devices }) : failureText(problem),
  ]
    .filter(Boolean)
    .join(' · ');
}
