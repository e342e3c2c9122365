/**
 * The kinds of contents that this version knows, with their fields (docs/protocol.md, 'Contents'). Fields beyond these
 * are kept and ignored.
 */
import { z } from 'zod';
import { OpaqueId } from '../../protocol/primitives.ts';
import { HelloContent } from '../trust/hello.ts';
import { cutToBytes, MOST_TEXT_BYTES, Text } from './text.ts';

/** What an older version shows in place of a message that it does not know, in bytes of UTF-8. */
export const Fallback = Text(1_000);

export const TextContent = z.looseObject({ kind: z.literal('text'), text: Text(MOST_TEXT_BYTES) });
export type TextContent = z.infer<typeof TextContent>;

/** The longest name of a group inside an invitation, in bytes of UTF-8. */
const MOST_NAME_BYTES = 80;

/** A group that its creator lets the recipient join. Direct only. */
export const InviteContent = z.looseObject({
  kind: z.literal('invite'),
  group: OpaqueId,
  /** What the inviter calls it. */
  name: Text(MOST_NAME_BYTES),
});
export type InviteContent = z.infer<typeof InviteContent>;

/** Makes a bubble, counts as unread and notifies. */
export type MessageContent = TextContent | InviteContent;
/** Never does any of these. */
export type ControlContent = HelloContent;

type Channel = 'direct' | 'group';

interface Kind {
  /** Of which payloads it may be. */
  channels: readonly Channel[];
  parse(
    body: unknown,
  ): { as: 'message'; content: MessageContent } | { as: 'control'; content: ControlContent } | null;
}

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [
    'text',
    {
      channels: ['direct', 'group'],
      parse(body) {
        const { data } = TextContent.safeParse(body);
        return data ? { as: 'message', content: data } : null;
      },
    },
  ],
  [
    'invite',
    {
      channels: ['direct'],
      parse(body) {
        const { data } = InviteContent.safeParse(body);
        return data ? { as: 'message', content: data } : null;
      },
    },
  ],
  [
    'hello',
    {
      channels: ['direct', 'group'],
      parse(body) {
        const { data } = HelloContent.safeParse(body);
        return data ? { as: 'control', content: data } : null;
      },
    },
  ],
]);

/** The names of all kinds that this version knows: what was kept under other ones is judged again. */
export const KNOWN_KINDS = [...KINDS.keys()].sort().join(',');

/** The content of a body, if its kind is known and its fields are right; null otherwise. */
export function parseContent(channel: Channel, body: { kind: string }): ReturnType<Kind['parse']> {
  const kind = KINDS.get(body.kind);
  return kind?.channels.includes(channel) ? kind.parse(body) : null;
}

/** An invitation as it is sent, with what an app shows that does not know the kind. */
export function inviteTo(group: { groupId: string; name: string }): InviteContent & { fallback: string } {
  const name = cutToBytes(group.name, MOST_NAME_BYTES);
  return {
    kind: 'invite',
    group: group.groupId,
    name,
    fallback: `You are invited to the group ${name}. Update Waxwing to join it.`,
  };
}
