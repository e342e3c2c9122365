/** `delete`: messages to erase. */
import { z } from 'zod';
import { Ref } from '../fields.ts';
import { controlKind } from '../kind.ts';
import { applyTo } from '../targets.ts';

export const MAX_TARGETS = 50;

export const DeleteContent = z.object({
  kind: z.literal('delete'),
  targets: z.array(Ref).min(1).max(MAX_TARGETS),
});
export type DeleteContent = z.infer<typeof DeleteContent>;

export const deletion = controlKind({
  name: 'delete',
  schema: DeleteContent,
  apply({ kind, targets }, by, store) {
    const all = targets.map((target) =>
      applyTo({ kind, targets: [target] }, target, by, store, (found) => found.erase(by.authorship), {
        anyVersion: true,
      }),
    );
    return all.find((each) => each === 'changed') ?? all.find((each) => each === 'waiting') ?? 'nothing';
  },
});
