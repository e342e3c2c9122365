/**
 * The kinds that this version knows, and what becomes of a body whose sender is proven: the rule for kinds that are not
 * known, which holds for all versions to come (docs/protocol.md, 'Contents').
 */
import { Text } from '../../protocol/primitives.ts';
import type { Channel } from './channel.ts';
import type { JudgedControl, JudgedMessage, Kind } from './kind.ts';
import { deletion } from './kinds/delete.ts';
import { edit } from './kinds/edit.ts';
import { hello } from './kinds/hello.ts';
import { invite } from './kinds/invite.ts';
import { ownRead, ownSet } from './kinds/own.ts';
import { pin } from './kinds/pin.ts';
import { reaction } from './kinds/reaction.ts';
import { receipt } from './kinds/receipt.ts';
import { text } from './kinds/text.ts';
import { timer } from './kinds/timer.ts';

const KINDS = [text, invite, hello, receipt, reaction, edit, deletion, pin, timer, ownRead, ownSet];

/** What an older version shows in place of a message that it does not know, in bytes of UTF-8. */
const Fallback = Text(1_000);

export type Judged<Look extends string = string> =
  | JudgedMessage<Look>
  | JudgedControl
  /** A message of an unknown kind, or with wrong fields: its sender says what to show instead. */
  | { as: 'newer'; text: string }
  /** Shown nowhere. Kept whole, and judged again by a version that knows other kinds. */
  | { as: 'unknown' };

/** `Look`: names of those of its kinds that have a look of their own. */
export class Contents<Look extends string = string> {
  readonly #kinds: ReadonlyMap<string, Kind<Look>>;
  /** The names of all kinds that are known: what was kept under other ones is judged again. */
  readonly names: string;

  constructor(kinds: readonly Kind<Look>[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.names = [...this.#kinds.keys()].sort().join(',');
  }

  /** These kinds and others. */
  with<More extends string>(...kinds: readonly Kind<More>[]): Contents<Look | More> {
    return new Contents<Look | More>([...this.#kinds.values(), ...kinds]);
  }

  /**
   * Judges kind and fields.
   * @param channel of the payload that the body is from
   * @param body as it was signed, whole
   */
  judge(channel: Channel, body: { kind: string; fallback?: unknown }): Judged<Look> {
    const known = this.#kinds.get(body.kind)?.judge(channel, body);
    if (known) return known;
    const fallback = Fallback.safeParse(body.fallback);
    return fallback.success ? { as: 'newer', text: fallback.data } : { as: 'unknown' };
  }
}

/** Those of this version. */
export const contents = new Contents(KINDS);

/** Names of the kinds that have a look of their own. */
export type KindWithLook = typeof contents extends Contents<infer Look> ? Look : never;

/** Whether it makes a bubble and counts as unread. */
export function isMessage(judged: Judged): judged is Extract<Judged, { as: 'message' | 'newer' }> {
  return judged.as === 'message' || judged.as === 'newer';
}

/** One line for lists and notifications; empty for what is not shown. */
export function summaryOf(judged: Judged): string {
  if (judged.as === 'message') return judged.summary;
  return judged.as === 'newer' ? judged.text : '';
}
