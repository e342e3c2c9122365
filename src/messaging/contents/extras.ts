/** Optional fields of any body, beside the fields of its kind (docs/protocol.md, 'Payload'). */
import { z } from 'zod';
import { LogHead } from '../../protocol/log-head.ts';
import { Bytes } from '../../protocol/primitives.ts';
import { TIMER } from '../../protocol/roster/limits.ts';

const Expires = z.number().int().min(TIMER.least).max(TIMER.most);
const Token = Bytes(16);
const Head = z.looseObject(LogHead.shape);

export interface Extras {
  /** Lifetime of the message in seconds. Ignored in a control. */
  readonly expires: number | null;
  /** Token of the invite that the sender followed: 16 bytes in base64url. */
  readonly token: string | null;
  /** Statement about the relay's log, signed by the relay. */
  readonly head: LogHead | null;
}

/** The extras of a body. A malformed one is ignored: the message must not depend on it. */
export function extrasOf({ expires, token, head }: Readonly<Record<string, unknown>>): Extras {
  return { expires: extraIn(Expires, expires), token: extraIn(Token, token), head: extraIn(Head, head) };
}

/** Most bodies have none of them: a schema would make an error for each. */
function extraIn<T>(schema: z.ZodType<T>, value: unknown): T | null {
  return value === undefined ? null : (schema.safeParse(value).data ?? null);
}
