import { fullTime } from '../shared/time.ts';

const ID_END = 6;

interface NamedLink {
  id: string;
  expires: number;
}

/** The date on which a link expires; with the end of its id, if another one expires in the same minute. */
export function linkName({ id, expires }: NamedLink, links: readonly NamedLink[]): string {
  const name = fullTime(expires);
  const isUnique = links.every((each) => each.id === id || fullTime(each.expires) !== name);
  return isUnique ? name : `${name} (${id.slice(-ID_END)})`;
}
