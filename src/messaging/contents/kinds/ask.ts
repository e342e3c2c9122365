/**
 * `ask`: let me into a group. To its creator or an admin, who answers with `invite`.
 */
import { z } from 'zod';
import { Text } from '../../../protocol/primitives.ts';
import { GroupId } from '../fields.ts';

export const AskContent = z.looseObject({
  kind: z.literal('ask'),
  group: GroupId,
  text: Text(300).optional(),
});
export type AskContent = z.infer<typeof AskContent>;
