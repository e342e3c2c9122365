/**
 * The kinds known to this version, and the verdict on a body with a proven sender. The rule for unknown kinds
 * is fixed for all future versions (docs/protocol.md, 'Contents').
 */
import { Kind as KindName, Text } from '../../protocol/primitives.ts';
import type { Channel } from './channel.ts';
import type { JudgedControl, JudgedMessage, Kind } from './kind.ts';
import { deletion } from './kinds/delete.ts';
import { edit } from './kinds/edit.ts';
import { hello } from './kinds/hello.ts';
import { ownHistory, ownHistoryEnd, ownHistoryRequest, ownRead, ownSet } from './kinds/own.ts';
import { pin } from './kinds/pin.ts';
import { picture, profile } from './kinds/profile.ts';
import { reaction } from './kinds/reaction.ts';
import { receipt } from './kinds/receipt.ts';
import { timer } from './kinds/timer.ts';
import { MESSAGE_KINDS } from './message-kinds.ts';

const KINDS = [
  ...MESSAGE_KINDS,
  hello,
  receipt,
  reaction,
  edit,
  deletion,
  pin,
  picture,
  profile,
  timer,
  ownRead,
  ownSet,
  ownHistory,
  ownHistoryRequest,
  ownHistoryEnd,
];

/** Text that an older version shows in place of an unknown message, in bytes of UTF-8. */
const Fallback = Text(1_000);

export type Judged<Look extends string = string> =
  | JudgedMessage<Look>
  | JudgedControl
  /** A message of an unknown kind, or with invalid fields: shown as its sender's fallback text. */
  | { as: 'newer'; text: string }
  /** Not shown. Stored whole, and judged again by a version with other kinds. */
  | { as: 'unknown' };

/** `Look`: names of its kinds with their own view. */
export class Contents<Look extends string = string> {
  readonly #kinds: ReadonlyMap<string, Kind<Look>>;
  /** The names of all known kinds. Contents stored under other names are judged again. */
  readonly names: string;

  /** @throws ZodError for a name that no body may have */
  constructor(kinds: readonly Kind<Look>[]) {
    this.#kinds = new Map(kinds.map((kind) => [KindName.parse(kind.name), kind]));
    this.names = [...this.#kinds.keys()].sort().join(',');
  }

  /** Extends these kinds. */
  with<More extends string>(...kinds: readonly Kind<More>[]): Contents<Look | More> {
    return new Contents<Look | More>([...this.#kinds.values(), ...kinds]);
  }

  /**
   * Judges kind and fields.
   * @param channel of its payload
   * @param body the complete signed body
   */
  judge(channel: Channel, body: { kind: string; fallback?: unknown }): Judged<Look> {
    const known = this.#kinds.get(body.kind)?.judge(channel, body);
    if (known) return known;
    const fallback = Fallback.safeParse(body.fallback);
    return fallback.success ? { as: 'newer', text: fallback.data } : { as: 'unknown' };
  }
}

/** The kinds of this version. */
export const contents = new Contents(KINDS);

/** Names of the kinds with their own view. */
export type KindWithLook = typeof contents extends Contents<infer Look> ? Look : never;

/** Reports whether it makes a bubble and counts as unread. */
export function isMessage(judged: Judged): judged is Extract<Judged, { as: 'message' | 'newer' }> {
  return judged.as === 'message' || judged.as === 'newer';
}

/** One line for lists and notifications; empty for a hidden content. */
export function summaryOf(judged: Judged): string {
  if (judged.as === 'message') return judged.summary;
  return judged.as === 'newer' ? judged.text : '';
}
