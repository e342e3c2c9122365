/**
 * Registers: values that a later one replaces, by their names (docs/protocol.md, 'Order'). For the vectors of kinds that the app
 * does not have yet.
 */
import type { EditContent } from '../../../src/messaging/contents/kinds/edit.ts';
import type { OwnSetContent } from '../../../src/messaging/contents/kinds/own.ts';
import type { PinContent } from '../../../src/messaging/contents/kinds/pin.ts';
import type { ReactionContent } from '../../../src/messaging/contents/kinds/reaction.ts';
import type { VoteContent } from './kinds/poll.ts';

/** A register of a conversation, or of the own devices, and its new value. */
export interface RegisterValue {
  /** The register's name: the same for all values that replace each other. */
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
 * The values that a body sets. A reaction or a vote replaces its sender's earlier one for that message.
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
