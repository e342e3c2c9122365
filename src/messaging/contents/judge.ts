/**
 * What becomes of a body whose sender is proven: the rule for kinds that this version does not know, which holds for
 * all versions to come (docs/protocol.md, 'Contents').
 */
import { type ControlContent, Fallback, type MessageContent, parseContent } from './kinds.ts';

export type Judged =
  | { as: 'message'; content: MessageContent }
  | { as: 'control'; content: ControlContent }
  /** A message of an unknown kind, or with wrong fields: its sender says what to show instead. */
  | { as: 'newer'; text: string }
  /** Shown nowhere. Kept whole, and judged again by a version that knows other kinds. */
  | { as: 'unknown' };

/**
 * Judges kind and fields.
 * @param channel of the payload that the body is from
 * @param body as it was signed, whole
 */
export function judgeContent(
  channel: 'direct' | 'group',
  body: { kind: string; fallback?: unknown },
): Judged {
  const known = parseContent(channel, body);
  if (known) return known;
  const fallback = Fallback.safeParse(body.fallback);
  return fallback.success ? { as: 'newer', text: fallback.data } : { as: 'unknown' };
}

/** Whether it makes a bubble, counts as unread and notifies. */
export function isMessage(judged: Judged): judged is Extract<Judged, { as: 'message' | 'newer' }> {
  return judged.as === 'message' || judged.as === 'newer';
}
