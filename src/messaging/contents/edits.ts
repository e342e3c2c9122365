/** Validity and effect of an edit (docs/protocol.md, 'Edit'). Times are milliseconds since 1970. */
import type { Mention } from './fields.ts';
import { editableFieldOf } from './message-kinds.ts';

const HOUR = 3_600_000;
const SENT_WITHIN = 24 * HOUR;
const RECEIVED_WITHIN = 48 * HOUR;
/** Limit of stored texts of a message, including the first. */
export const MAX_KEPT_TEXTS = 20;

export interface EditTimes {
  sentAt: number;
  /** As counted on this device. */
  receivedAt: number;
}

/** Reason for ignoring an edit because of its times; null if valid. */
export type EditProblem = 'before_its_target' | 'sent_late' | 'received_late';

/** @param wasRequested whether this device requested it again: then it may arrive late */
export function findEditProblem(
  target: EditTimes,
  edit: EditTimes,
  wasRequested: boolean,
): EditProblem | null {
  if (edit.sentAt <= target.sentAt) return 'before_its_target';
  if (edit.sentAt > target.sentAt + SENT_WITHIN) return 'sent_late';
  if (!wasRequested && edit.receivedAt > target.receivedAt + RECEIVED_WITHIN) return 'received_late';
  return null;
}

type Body = Readonly<Record<string, unknown>>;

/** Contents of an edit: a new `text` of a text, or a new `caption` of files; an empty one removes it. */
export interface NewWords {
  readonly text?: string | undefined;
  readonly caption?: string | undefined;
  readonly mentions?: readonly Mention[] | undefined;
}

/**
 * The body after an edit: text or caption and mentions are replaced, other fields stay. A preview stays while
 * the new text contains its link ({@link previewHost}).
 * @returns null if the edit does not fit the kind of the message
 */
export function edited(body: Body, words: NewWords): Body | null {
  const field = editableFieldOf(body.kind);
  const text = newTextOf(body.kind, words);
  if (field === null || text === null) return null;
  return { ...body, [field]: text === '' ? undefined : text, mentions: words.mentions };
}

/** The new text or caption for a message of this kind; null if the edit does not fit it. */
export function newTextOf(kind: unknown, { text, caption }: NewWords): string | null {
  const field = editableFieldOf(kind);
  const texts: Readonly<Record<string, string | undefined>> = { text, caption };
  return field === null ? null : (texts[field] ?? null);
}
