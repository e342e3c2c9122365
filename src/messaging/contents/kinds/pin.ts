/** `pin`: pins a message of a conversation, or unpins it. */
import { z } from 'zod';
import { Ref } from '../fields.ts';
import { controlKind } from '../kind.ts';
import { applyTo } from '../targets.ts';

export const PinContent = z.object({ kind: z.literal('pin'), target: Ref, pinned: z.boolean() });
export type PinContent = z.infer<typeof PinContent>;

export const pin = controlKind({
  name: 'pin',
  schema: PinContent,
  apply: (content, by, store) =>
    applyTo(content, content.target, by, store, (target) => target.setPinned(content.pinned, by.version)),
});
