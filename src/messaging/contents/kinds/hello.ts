/**
 * `hello`: what a device says of its own newest list, with lists that prove it (docs/protocol.md, 'hello'). The lists
 * prove themselves, no matter who hands them over.
 */
import { z } from 'zod';
import { type DeviceList, ListReference } from '../../../protocol/device-list.ts';
import { encodeUtf8 } from '../../../protocol/encoding.ts';
import { LogHead } from '../../../protocol/log-head.ts';
import { OpaqueId } from '../../../protocol/primitives.ts';
import { RosterEntry } from '../../../protocol/roster/forms.ts';
import { RosterReference } from '../../../protocol/roster/reference.ts';
import { PublishedDeviceList } from '../../../protocol/schemas/directory.ts';
import { controlKind } from '../kind.ts';

/** Lists in one hello, and entries. */
export const MOST_HELLO_ITEMS = 8;
/** Bytes of both as JSON. */
export const MOST_HELLO_BYTES = 32 * 1024;

/** What evidence takes of them. */
export function helloBytesOf(evidence: readonly object[]): number {
  return evidence.length === 0 ? 0 : encodeUtf8(JSON.stringify(evidence)).length;
}

/**
 * What the other side seems not to have seen: the sender's newest device list, and lists that prove it; or of a group the
 * newest entry of its roster, with entries.
 */
export const HelloContent = z
  .looseObject({
    kind: z.literal('hello'),
    list: ListReference,
    group: OpaqueId.optional(),
    roster: RosterReference.optional(),
    head: z.looseObject(LogHead.shape).optional(),
    /** Oldest first. */
    lists: z.array(PublishedDeviceList).max(MOST_HELLO_ITEMS).optional(),
    /** Of the roster of `group`, oldest first. */
    entries: z.array(z.looseObject(RosterEntry.shape)).max(MOST_HELLO_ITEMS).optional(),
  })
  .refine(({ lists = [], entries = [] }) => helloBytesOf(lists) + helloBytesOf(entries) <= MOST_HELLO_BYTES);
export type HelloContent = z.infer<typeof HelloContent>;

/**
 * It changes no message. Its evidence counts before its sender is proven ({@link evidenceIn}), and the list that it names
 * like that of every signed body.
 */
export const hello = controlKind({ name: 'hello', schema: HelloContent });

/** The lists that a body brings as proof, unproven; empty if it is no hello, or brings none. */
export function evidenceIn(body: { kind: string }): readonly DeviceList[] {
  if (body.kind !== 'hello') return [];
  return HelloContent.safeParse(body).data?.lists ?? [];
}

/** What a hello says about a group, unproven; null if it says nothing of one. @param groupId that it came through */
export function groupTalkIn(
  body: { kind: string },
  groupId: string | null,
): { groupId: string; roster: RosterReference | null; entries: readonly RosterEntry[] } | null {
  if (body.kind !== 'hello') return null;
  const { data } = HelloContent.safeParse(body);
  const group = groupId ?? data?.group;
  if (!data || group === undefined) return null;
  const entries = (data.entries ?? []).map(({ body: bytes, deviceId, signature }) => ({
    body: bytes,
    deviceId,
    signature,
  }));
  return { groupId: group, roster: groupId === null ? (data.roster ?? null) : null, entries };
}

/**
 * The lists to say in a hello: those after a number, oldest first, up to the newest. Where there is no room for all of
 * them the oldest are left out.
 * @param lists all own lists, ascending
 */
export function evidenceAfter(lists: readonly DeviceList[], after: number): DeviceList[] {
  const found: DeviceList[] = [];
  for (const list of lists.toReversed()) {
    const more = [list, ...found];
    if (list.sequence <= after || more.length > MOST_HELLO_ITEMS || helloBytesOf(more) > MOST_HELLO_BYTES)
      break;
    found.unshift(list);
  }
  return found;
}
