/**
 * What any body may have beside the fields of its kind (docs/protocol.md, 'Payload').
 */
import { z } from 'zod';
import { LogHead } from '../../protocol/log-head.ts';
import { Bytes } from '../../protocol/primitives.ts';
import { TIMER } from '../../protocol/roster/limits.ts';

const Expires = z.number().int().min(TIMER.least).max(TIMER.most);
const Token = Bytes(16);
const Head = z.looseObject(LogHead.shape);

export interface Extras {
  /** After how many seconds the message disappears. Means nothing in a control. */
  readonly expires: number | null;
  /** Of the invite that the sender followed: 16 bytes in base64url. */
  readonly token: string | null;
  /** What the relay has signed about its log. */
  readonly head: LogHead | null;
}

/** The extras of a body. A malformed one counts as none: what a message says must not depend on it. */
export function extrasOf(body: Readonly<Record<string, unknown>>): Extras {
  return {
    expires: Expires.safeParse(body.expires).data ?? null,
    token: Token.safeParse(body.token).data ?? null,
    head: Head.safeParse(body.head).data ?? null,
  };
}
