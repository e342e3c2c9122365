/**
 * Registers: values that a later one replaces, on all devices alike, in whatever order they come (docs/protocol.md, 'Order').
 */

import { latestOwnSentAt } from '../trust/replay.ts';
import type { EditContent } from './kinds/edit.ts';
import type { OwnSetContent } from './kinds/own.ts';
import type { PinContent } from './kinds/pin.ts';
import type { VoteContent } from './kinds/poll.ts';
import type { ReactionContent } from './kinds/reaction.ts';

/**
 * The `sentAt` of a new message, in milliseconds since 1970: now, but after the device's last one in the conversation and after the
 * value that it replaces, so that a clock that is behind loses nothing. It is never further ahead of the own clock than
 * recipients accept, whatever others have dated theirs. It is stored before the first copy is sealed.
 * @param last of this device in the conversation; null if there is none
 * @param replaced of the register's value that this device knows; null if it sets none
 */
export function nextSentAt(now: number, last: number | null, replaced: number | null): number {
  return Math.min(Math.max(now, (last ?? -1) + 1, (replaced ?? -1) + 1), latestOwnSentAt(now));
}

/** A register of a conversation, or of the own devices, and its new value. */
export interface RegisterValue {
  /** Names the register: the same for all values that replace each other. */
  readonly register: string;
  readonly value: unknown;
}

/** Bodies that set registers, by their kind; fields as the kind has them. */
export type RegisterBody =
  | ReactionContent
  | VoteContent
  | EditContent
  | PinContent
  | OwnSetContent
  | { kind: 'timer'; seconds: number }
  | { kind: 'profile'; name: string; about?: string | undefined; avatar: unknown }
  | { kind: 'picture'; file: unknown };

/**
 * What a body sets. A reaction and a vote are the whole of what their sender says about a message.
 * @param sender of the body
 */
export function valuesOf(sender: string, body: RegisterBody): RegisterValue[] {
  switch (body.kind) {
    case 'reaction':
      return [{ register: named('reaction', ...nameOf(body.target), sender), value: body.emoji }];
    case 'vote':
      return [{ register: named('vote', ...nameOf(body.target), sender), value: body.options }];
    case 'edit':
      return [{ register: named('edit', ...nameOf(body.target)), value: body.text ?? body.caption }];
    case 'pin':
      return [{ register: named('pin', ...nameOf(body.target)), value: body.pinned }];
    case 'timer':
      return [{ register: 'timer', value: body.seconds }];
    case 'profile':
      return [
        {
          register: named('profile', sender),
          value: { name: body.name, about: body.about ?? null, avatar: body.avatar },
        },
      ];
    case 'picture':
      return [{ register: 'picture', value: body.file }];
    case 'own.set':
      return body.entries.map(({ key, value }) => ({ register: `own.set/${key}`, value }));
  }
}

function nameOf({ sender, id }: { sender: string; id: string }): [string, string] {
  return [sender, id];
}

function named(...parts: readonly string[]): string {
  return parts.join('/');
}
