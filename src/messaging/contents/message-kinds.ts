/** The kinds of messages of this version, and the facts by which other code treats them. */
import type { MessageKind } from './kind.ts';
import { attachment } from './kinds/attachment.ts';
import { invite } from './kinds/invite.ts';
import { text } from './kinds/text.ts';

export const MESSAGE_KINDS = [text, attachment, invite];

const byName: ReadonlyMap<unknown, MessageKind> = new Map(MESSAGE_KINDS.map((kind) => [kind.name, kind]));

/** Messages of later versions that are allowed without a device's signature. */
const LATER_UNSIGNED: ReadonlySet<string> = new Set(['poll']);

/** The field of the text of a message; null for a kind without one, and for other kinds. */
export function textFieldOf(kind: unknown): string | null {
  return byName.get(kind)?.textField ?? null;
}

/** The field of the text that an edit replaces; null for a kind that cannot be edited. */
export function editableFieldOf(kind: unknown): string | null {
  const found = byName.get(kind);
  return found?.editable ? found.textField : null;
}

/** Reports whether a message of this kind needs no device's signature. */
export function isUnsignedMessage(kind: string): boolean {
  return byName.get(kind)?.unsigned ?? LATER_UNSIGNED.has(kind);
}
