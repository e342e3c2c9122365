/** `ask`: a request to join a group, sent to its creator or an admin, who answers with `invite`. */
import { z } from 'zod';
import { GroupId } from '../../../../src/messaging/contents/fields.ts';
import { Text } from '../../../../src/protocol/primitives.ts';

export const AskContent = z.looseObject({
  kind: z.literal('ask'),
  group: GroupId,
  text: Text(300).optional(),
});
export type AskContent = z.infer<typeof AskContent>;
