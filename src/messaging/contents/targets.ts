/** Controls with a target: its resolution, and the sender's rights on it. */
import { findControlProblem } from './control-rights.ts';
import type { Ref } from './fields.ts';
import type { Applied, Content, ContentStore, ControlBy, StoredContent } from './kind.ts';
import { judgeRef } from './refs.ts';

/**
 * Applies a control to its target, or stores it until the target arrives.
 * @param content stored while it waits: the fields of its kind, for this target only
 * @param change effect on a valid target; returns whether it changed anything
 * @param anyVersion for a target whose text its sender saw differently, too
 */
export function applyTo(
  content: Content,
  ref: Ref,
  by: ControlBy,
  store: ContentStore,
  change: (target: StoredContent) => boolean,
  { anyVersion = false } = {},
): Applied {
  const { kind } = content;
  const target = store.find(ref);
  const mayWait = findControlProblem(kind, by.authorship, store.place, null) === null;
  const waiting =
    (!target || target.isImported) && mayWait && store.wait(ref, content) ? 'waiting' : 'nothing';
  if (!target || target.isDeleted) return waiting;
  const { sender, id } = ref;
  const isMeant =
    judgeRef(ref, target.digest === null ? null : { sender, id, digest: target.digest }) === 'target';
  if (!isMeant && !anyVersion) return waiting;
  if (findControlProblem(kind, by.authorship, store.place, target.authorship) !== null) return waiting;
  return change(target) ? 'changed' : waiting;
}
