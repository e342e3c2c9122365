/** The parts of a message that are shown: its current body, kind and text, and its files. */
import type { AttachedFile } from '../../protocol/blob/file.ts';
import type { Judged } from './all-kinds.ts';
import type { Edit } from './kind.ts';
import type { AttachmentContent } from './kinds/attachment.ts';
import { editableFieldOf } from './message-kinds.ts';

interface Body {
  readonly kind: string;
}

/** The current body after an edit. */
export function bodyNow<B extends Body>(body: B, edit: Edit | null): B {
  if (!edit) return body;
  const { text, mentions } = edit;
  const field = editableFieldOf(body.kind);
  return field === null ? body : { ...body, [field]: text === '' ? undefined : text, mentions };
}

/** The kind as known to an interface, with the fields for its view. */
export function kindOf(judged: Judged) {
  return judged.as === 'message'
    ? { kind: judged.kind, fields: judged.fields }
    : { kind: 'newer', fields: {} };
}

/** Text of a bubble; empty for a kind with its own view. */
export function textOf(judged: Judged): string {
  return judged.as === 'message' || judged.as === 'newer' ? (judged.text ?? '') : '';
}

/** The claimed files of a body, if its fields are valid; none of other bodies. */
export function claimedFiles(judged: Judged | null, body: object): readonly AttachedFile[] {
  if (judged?.as !== 'message' || judged.kind !== 'attachment') return [];
  return (body as AttachmentContent).files;
}
