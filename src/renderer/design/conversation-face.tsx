import { UsersRound } from 'lucide-react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { avatarHue, initialsOf } from '../shared/person.ts';
import { Avatar, type AvatarSize, avatarSizes } from './avatar.tsx';
import { classNames } from './class-names.ts';
import { FacePicture } from './face-picture.tsx';

interface GroupAvatarProps {
  group: { groupId: string; name: string; picture?: string | null };
  size?: AvatarSize;
}

/** Like a person's, but square: recognizable as a group before its name is read. */
export function GroupAvatar({ group, size = 'medium' }: GroupAvatarProps) {
  const letters = initialsOf(group.name);
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'relative inline-grid shrink-0 select-none place-items-center border border-transparent rounded-[30%] font-semibold text-on-accent tracking-wide',
        avatarSizes[size],
      )}
      style={{ backgroundColor: `var(--avatar-${avatarHue(group.groupId)})` }}
    >
      {letters || <UsersRound className="size-1/2" strokeWidth={1.9} />}
      <FacePicture id={group.picture} />
    </span>
  );
}

/** The picture of a conversation: of its person, or of its group. */
export function ConversationFace({ conversation, size }: { conversation: Conversation; size?: AvatarSize }) {
  const given = size === undefined ? {} : { size };
  return conversation.kind === 'direct' ? (
    <Avatar person={conversation.peer} {...given} />
  ) : (
    <GroupAvatar group={conversation.group} {...given} />
  );
}
