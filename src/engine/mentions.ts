/**
 * Whom a text may mention, and which of its mentions count.
 */
import type { WrittenMention } from '../bridge/shapes.ts';
import type { PlacedMention } from '../messaging/contents/mentions.ts';
import { membersOf } from '../protocol/roster/state.ts';
import type { StoredConversation } from './cache/conversations.ts';
import type { Context } from './context.ts';

/** The members of a group, or both people of a direct chat. */
export function addressesIn({ groups, identity }: Context, { partner }: StoredConversation): string[] {
  if (partner.kind === 'direct') {
    const own = identity.get()?.address;
    return [...new Set([partner.peer.address, ...(own === undefined ? [] : [own])])];
  }
  const group = groups.get(partner.groupId);
  return group ? membersOf(group.state) : [];
}

/** Those that stand in the text one after the other, begin and end between two characters, and name one of these people. */
export function mentionsThatCount(
  text: string,
  mentions: readonly WrittenMention[],
  people: readonly string[],
): PlacedMention[] {
  const allowed = new Set(people);
  const found: PlacedMention[] = [];
  for (const { from, to, address: written } of mentions) {
    const address = written.toLowerCase();
    const isInOrder = from >= (found.at(-1)?.to ?? 0) && from < to && to <= text.length;
    if (isInOrder && isBetween(text, from) && isBetween(text, to) && allowed.has(address))
      found.push({ from, to, address });
  }
  return found;
}

/** Whether a place is not inside of a surrogate pair. */
function isBetween(text: string, place: number): boolean {
  return place === 0 || (text.codePointAt(place - 1) ?? 0) <= 0xffff;
}
