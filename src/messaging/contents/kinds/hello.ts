/**
 * `hello`: a device's statement about its own newest list, with lists as proof (docs/protocol.md, 'hello').
 * Each list has its own signature, so any sender can pass it on.
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

/** Limit of lists in one hello, and of entries. */
export const MAX_HELLO_ITEMS = 8;
/** Limit of both together, in bytes of JSON. */
export const MAX_HELLO_BYTES = 32 * 1024;

/** Size of evidence in a hello. */
export function helloBytesOf(evidence: readonly object[]): number {
  return evidence.length === 0 ? 0 : encodeUtf8(JSON.stringify(evidence)).length;
}

/**
 * News that the recipient seems to lack: the sender's newest device list with lists as proof; or the newest
 * entry of a group's roster, with entries.
 */
export const HelloContent = z
  .looseObject({
    kind: z.literal('hello'),
    list: ListReference,
    group: OpaqueId.optional(),
    roster: RosterReference.optional(),
    head: z.looseObject(LogHead.shape).optional(),
    /** Oldest first. */
    lists: z.array(PublishedDeviceList).max(MAX_HELLO_ITEMS).optional(),
    /** Entries of the roster of `group`, oldest first. */
    entries: z.array(z.looseObject(RosterEntry.shape)).max(MAX_HELLO_ITEMS).optional(),
  })
  .refine(({ lists = [], entries = [] }) => helloBytesOf(lists) + helloBytesOf(entries) <= MAX_HELLO_BYTES);
export type HelloContent = z.infer<typeof HelloContent>;

/**
 * Changes no message. Its evidence counts before its sender is proven ({@link evidenceIn}). The list that it
 * names counts as in every signed body.
 */
export const hello = controlKind({ name: 'hello', schema: HelloContent });

/** Unproven lists in a body; empty for other kinds. */
export function evidenceIn(body: { kind: string }): readonly DeviceList[] {
  if (body.kind !== 'hello') return [];
  return HelloContent.safeParse(body).data?.lists ?? [];
}

/**
 * A hello's unproven statement about a group; null without one.
 * @param groupId the group it was posted to
 */
export function groupEvidenceIn(
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
 * The lists for a hello: those after a number, oldest first, up to the newest. The oldest are left out if
 * there is no room.
 * @param lists all own lists, ascending
 */
export function evidenceAfter(lists: readonly DeviceList[], after: number): DeviceList[] {
  const found: DeviceList[] = [];
  for (const list of lists.toReversed()) {
    const more = [list, ...found];
    if (list.sequence <= after || more.length > MAX_HELLO_ITEMS || helloBytesOf(more) > MAX_HELLO_BYTES)
      break;
    found.unshift(list);
  }
  return found;
}
