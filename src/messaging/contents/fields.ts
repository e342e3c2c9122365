/**
 * Fields shared by several kinds. Unknown fields are ignored, also inside of these. They stay in the body,
 * which its sender signed.
 */
import { z } from 'zod';
import { Bytes, WireAddress } from '../../protocol/primitives.ts';

/** The id of a group with a roster: 16 bytes in base64url. */
export const GroupId = Bytes(16);

/** A message by its sender and id. */
export const MessageId = z.object({ sender: WireAddress, id: Bytes(16) });
export type MessageId = z.infer<typeof MessageId>;

/** Another message of the same conversation: its sender and id, and the beginning of SHA-256 of its body. */
export const Ref = z.object({ sender: WireAddress, id: Bytes(16), digest: Bytes(16) });
export type Ref = z.infer<typeof Ref>;

/** Name of a conversation between own devices. */
export const Conversation = z.union([
  z.looseObject({ peer: WireAddress, group: z.undefined().optional() }),
  z.looseObject({ group: GroupId, peer: z.undefined().optional() }),
]);
export type Conversation = z.infer<typeof Conversation>;

/** The longest caption of files, in bytes of UTF-8. */
export const MAX_CAPTION_BYTES = 4_096;
export const MAX_MENTIONS = 50;

/** A mention of a person, with its place in bytes of UTF-8. {@link mentionsIn} decides on its validity. */
export const Mention = z.object({
  at: z.number().int().min(0),
  length: z.number().int().min(1),
  address: WireAddress,
});
export type Mention = z.infer<typeof Mention>;

/** Optional fields beside a text, or beside the caption of files. */
export const besideText = {
  replyTo: Ref.optional(),
  mentions: z.array(Mention).max(MAX_MENTIONS).optional(),
  forwarded: z.boolean().optional(),
};

export function isEachOnce(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}
