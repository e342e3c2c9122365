/**
 * Controls that are about a message: what they lead to, and whether their sender may do that to it.
 */
import { findControlProblem } from './control-rights.ts';
import type { Ref } from './fields.ts';
import type { Applied, Content, ContentStore, ControlBy, StoredContent } from './kind.ts';
import { judgeRef } from './refs.ts';

/**
 * Applies a control to its target, or keeps it until that comes.
 * @param content what is kept of it while it waits: the fields of its kind, about this target alone
 * @param change what it does to a target that it counts for; returns whether anything changed
 * @param holds for a target whose words its sender saw differently, too
 */
export function applyTo(
  content: Content,
  ref: Ref,
  by: ControlBy,
  store: ContentStore,
  change: (target: StoredContent) => boolean,
  { holds = false } = {},
): Applied {
  const { kind } = content;
  const target = store.find(ref);
  if (!target) {
    if (findControlProblem(kind, by.voice, store.place, null) !== null) return 'nothing';
    return store.wait(ref, content) ? 'waiting' : 'nothing';
  }
  if (target.isDeleted) return 'nothing';
  const { sender, id } = ref;
  const isMeant =
    judgeRef(ref, target.digest === null ? null : { sender, id, digest: target.digest }) === 'target';
  if (!isMeant && !holds) return 'nothing';
  if (findControlProblem(kind, by.voice, store.place, target.voice) !== null) return 'nothing';
  return change(target) ? 'changed' : 'nothing';
}
