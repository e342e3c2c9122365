import type { Person } from '../../bridge/shapes/person.ts';
import { classNames } from '../design/class-names.ts';
import { authorName } from './author-name.ts';
import { NameLine } from './name-line.tsx';

interface AuthorLineProps {
  author: Person;
  /** The name of a bot, empty if unknown; null without a bot. */
  bot: string | null;
  className?: string;
}

/** The author of a message on a line of their own. */
export function AuthorLine({ author, bot, className = '' }: AuthorLineProps) {
  if (bot === null) return <NameLine className={className} person={author} />;
  return <bdi className={classNames('block truncate', className)}>{authorName(author, bot)}</bdi>;
}
