/** The links of first run: their order, and each link once. */
import { isSameInvite } from '../../base/invite-in.ts';
import { MAX_FIRST_LINKS } from '../../bridge/longest.ts';
import type { FirstLinks, OpenedLink } from '../../bridge/shapes/app.ts';
import type { FirstLink } from './step.ts';

/** All in the order of opening: first the one of the field. */
export function inOrder({ entered, others }: FirstLinks): FirstLink[] {
  return entered ? [{ kind: 'invite', ...entered }, ...others] : others;
}

/** Adds an opened link behind the others, unless it waits already. */
export function withOpened(links: FirstLinks, link: OpenedLink): FirstLinks {
  const isKnown = inOrder(links).some((each) => isSameLink(each, link));
  if (isKnown || links.others.length >= MAX_FIRST_LINKS) return links;
  return { ...links, others: [...links.others, link] };
}

/** Replaces the link of the field, which waits once. */
export function withEntered({ others }: FirstLinks, entered: FirstLinks['entered']): FirstLinks {
  const isEntered = (link: OpenedLink) =>
    entered !== null && isSameLink(link, { kind: 'invite', text: entered.text });
  return { entered, others: others.filter((each) => !isEntered(each)) };
}

/** Removes a link whose chat is open, or that the person dismissed. */
export function withoutLink({ entered, others }: FirstLinks, link: OpenedLink): FirstLinks {
  const isEntered = entered !== null && isSameLink({ kind: 'invite', text: entered.text }, link);
  return { entered: isEntered ? null : entered, others: others.filter((each) => !isSameLink(each, link)) };
}

/** Reports whether both are links of the same person, or the same invite link. */
export function isSameLink(one: OpenedLink, other: OpenedLink): boolean {
  if (one.kind === 'contact')
    return other.kind === 'contact' && one.address.toLowerCase() === other.address.toLowerCase();
  return other.kind === 'invite' && isSameInvite(one.text, other.text);
}
