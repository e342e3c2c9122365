/**
 * When an edit counts, and what it makes of a message (docs/protocol.md, 'Edit'). Times are milliseconds since 1970.
 */
import type { Mention } from './fields.ts';

const HOUR = 3_600_000;
const SENT_WITHIN = 24 * HOUR;
const RECEIVED_WITHIN = 48 * HOUR;
/** Texts of a message that are kept, the first one among them. */
export const MOST_KEPT_TEXTS = 20;

export interface EditTimes {
  sentAt: number;
  /** As it counts on this device. */
  receivedAt: number;
}

/** Why the times of an edit do not let it count; null if they do. */
export type EditProblem = 'before_its_target' | 'sent_late' | 'received_late';

/** @param wasAskedFor whether it came again because this device asked for it: then it may have come late */
export function findEditProblem(
  target: EditTimes,
  edit: EditTimes,
  wasAskedFor: boolean,
): EditProblem | null {
  if (edit.sentAt <= target.sentAt) return 'before_its_target';
  if (edit.sentAt > target.sentAt + SENT_WITHIN) return 'sent_late';
  if (!wasAskedFor && edit.receivedAt > target.receivedAt + RECEIVED_WITHIN) return 'received_late';
  return null;
}

type Body = Readonly<Record<string, unknown>>;

/** What an edit says: a new `text` of a text, or a new `caption` of files. */
export interface NewWords {
  readonly text?: string | undefined;
  readonly caption?: string | undefined;
  readonly mentions?: readonly Mention[] | undefined;
}

/**
 * A body as it reads after an edit: its text or caption and the mentions are replaced, all else stays. A preview stays while its
 * link stands in the new text ({@link previewHost}).
 * @returns null if the edit is of another kind of message
 */
export function edited(body: Body, { text, caption, mentions }: NewWords): Body | null {
  if (body.kind !== (text === undefined ? 'attachment' : 'text')) return null;
  return { ...body, ...(text === undefined ? { caption } : { text }), mentions };
}
