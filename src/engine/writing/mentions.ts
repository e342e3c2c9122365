/** Mentions of a text: allowed people, and valid places. */
import type { WrittenMention } from '../../bridge/shapes/message.ts';
import { MAX_MENTIONS } from '../../messaging/contents/fields.ts';
import type { PlacedMention } from '../../messaging/contents/mentions.ts';
import { membersOf } from '../../protocol/roster/state.ts';
import type { StoredConversation, StoredPerson } from '../cache/conversations.ts';
import type { Context } from '../context.ts';

/** The members of a group, or both people of a direct chat. */
export function addressesIn({ groups, identity }: Context, { partner }: StoredConversation): string[] {
  if (partner.kind === 'direct') {
    const own = identity.get()?.address;
    return [...new Set([partner.peer.address, ...(own === undefined ? [] : [own])])];
  }
  const group = groups.get(partner.groupId);
  return group ? membersOf(group.state) : [];
}

/**
 * Mentions to send: the valid ones, and handles that were typed without a choice from the list.
 * @param also addresses of earlier mentions, who may have left since
 */
export function mentionsToSend(
  context: Context,
  conversation: StoredConversation,
  {
    text,
    mentions,
    also = [],
  }: { text: string; mentions: readonly WrittenMention[]; also?: readonly string[] },
): PlacedMention[] {
  const people = addressesIn(context, conversation);
  const counting = mentionsThatCount(text, mentions, [...people, ...also]);
  if (!text.includes('@')) return counting;
  return withTypedHandles(text, counting, context.contacts.profiles(people));
}

/** A handle after a character that may precede a name (renderer/chat/writing/trigger.ts), and no part of a longer address. */
const typedHandle =
  /(?<=^|[\s\p{Ps}\p{Pi}"'*_~>\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}])@([A-Za-z0-9_]+)(?![.@-]?[\p{L}\p{N}_])/gu;
const code = /```[\s\S]*?(?:```|$)|`[^`\n]+`/g;

/** Adds each whole handle of these people in the text, outside of code and within the limit of mentions. */
export function withTypedHandles(
  text: string,
  mentions: readonly PlacedMention[],
  people: readonly Pick<StoredPerson, 'address' | 'handle'>[],
): PlacedMention[] {
  const ranges = [
    ...mentions,
    ...[...text.matchAll(code)].map(({ index, 0: all }) => ({ from: index, to: index + all.length })),
  ];
  const addressOf = (handle: string): string | null => {
    const found = people.filter((person) => person.handle === handle);
    return found.length === 1 ? (found[0]?.address ?? null) : null;
  };
  const found = [...mentions];
  for (const { index: from, 1: typed = '' } of text.matchAll(typedHandle)) {
    if (found.length >= MAX_MENTIONS) break;
    const whole = typed.toLowerCase();
    // A handle may be followed by the mark of italics.
    const handle = addressOf(whole) === null ? whole.replace(/_+$/, '') : whole;
    const address = addressOf(handle);
    const to = from + 1 + handle.length;
    if (address !== null && ranges.every((each) => each.to <= from || each.from >= to)) {
      found.push({ from, to, address });
    }
  }
  return found.sort((one, other) => one.from - other.from);
}

/** The valid mentions: in order, between two characters, and of one of these people. */
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

/** Reports whether a place is outside of a surrogate pair. */
function isBetween(text: string, place: number): boolean {
  return place === 0 || (text.codePointAt(place - 1) ?? 0) <= 0xffff;
}
