import { Bot, UserRound } from 'lucide-react';
import type { Person } from '../../bridge/shapes/person.ts';
import { avatarHue, initials } from '../shared/person.ts';
import { classNames } from './class-names.ts';
import { FacePicture } from './face-picture.tsx';

interface AvatarProps {
  person: Pick<Person, 'address' | 'handle' | 'displayName'> & Partial<Pick<Person, 'picture'>>;
  size?: AvatarSize;
}

/** Initials belong to the picture, not to the type scale. */
export const avatarSizes = {
  tiny: 'size-5 text-[0.5625rem]',
  small: 'size-8 text-meta',
  medium: 'size-11 text-interface',
  row: 'size-11 text-interface compact:size-8 compact:text-meta',
  large: 'size-20 text-welcome',
};

export type AvatarSize = keyof typeof avatarSizes;

/**
 * A bot is a square with a robot.
 * @param botKey decides its colour, so that two bots of one name look different; null if unknown
 */
export function BotAvatar({ botKey, size = 'tiny' }: { botKey: string | null; size?: 'tiny' | 'small' }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-grid shrink-0 place-items-center border border-transparent rounded-chip',
        botKey === null ? 'bg-sunken text-ink-soft' : 'text-on-accent',
        size === 'tiny' ? 'size-5' : 'size-8',
      )}
      style={botKey === null ? undefined : { backgroundColor: `var(--avatar-${avatarHue(botKey)})` }}
    >
      <Bot className={size === 'tiny' ? 'size-3.5' : 'size-5'} strokeWidth={2} />
    </span>
  );
}

/**
 * The picture that a person chose, or initials on a colour derived from the address, so that two people of one name look
 * different.
 */
export function Avatar({ person, size = 'medium' }: AvatarProps) {
  const letters = initials(person);
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'relative inline-grid shrink-0 select-none place-items-center border border-transparent rounded-full font-semibold text-on-accent tracking-wide',
        avatarSizes[size],
      )}
      style={{ backgroundColor: `var(--avatar-${avatarHue(person.address)})` }}
    >
      {letters || <UserRound className="size-1/2" strokeWidth={1.9} />}
      <FacePicture id={person.picture} />
    </span>
  );
}
