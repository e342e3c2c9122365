/**
 * Received invitations to groups: in memory, and as lines of the identity's journal. They are acknowledged like all
 * messages, so they are stored until they are used or expire.
 */
import { z } from 'zod';
import { GroupId } from '../../../messaging/contents/fields.ts';
import { decodeTime } from '../../../protocol/encoding.ts';
import { Name, WireAddress } from '../../../protocol/primitives.ts';
import { Ticket } from '../../../protocol/roster/forms.ts';
import type { Table } from './table.ts';

/** The limit; the oldest are dropped. */
const MOST = 200;
/** The limit for one inviter, so that a stranger leaves room for others. */
const MOST_OF_ONE = 10;

const Kept = z.strictObject({ groupId: GroupId, name: Name, from: WireAddress, ticket: Ticket });
/** An invitation to a group. `from` is the inviter's address, `name` the group's name according to them. */
export type KeptInvitation = z.infer<typeof Kept>;

export const InvitationEntry = z.union([
  z.strictObject({ invitation: Kept }),
  z.strictObject({ usedInvitation: GroupId }),
]);
export type InvitationEntry = z.infer<typeof InvitationEntry>;

export class JournalInvitations implements Table<InvitationEntry> {
  readonly schema = InvitationEntry;
  readonly #write: (entry: InvitationEntry) => void;
  /** The newest of each group, in order of arrival. */
  readonly #kept = new Map<string, KeptInvitation>();

  /** @param write makes a line durable, and calls {@link apply} */
  constructor(write: (entry: InvitationEntry) => void) {
    this.#write = write;
  }

  keep(invitation: KeptInvitation): void {
    this.#write({ invitation });
  }

  /** Removes the invitation of a joined group. */
  use(groupId: string): void {
    if (this.#kept.has(groupId)) this.#write({ usedInvitation: groupId });
  }

  /**
   * The unexpired invitation to a group; null if there is none.
   * @param now milliseconds since 1970
   */
  find(groupId: string, now: number): KeptInvitation | null {
    const kept = this.#kept.get(groupId);
    return kept && decodeTime(kept.ticket.expires) > now ? kept : null;
  }

  /**
   * All unexpired ones, newest first.
   * @param now milliseconds since 1970
   */
  all(now: number): KeptInvitation[] {
    return [...this.#kept.values()].filter(({ ticket }) => decodeTime(ticket.expires) > now).reverse();
  }

  apply(entry: InvitationEntry): void {
    if ('usedInvitation' in entry) {
      this.#kept.delete(entry.usedInvitation);
      return;
    }
    const { groupId, from } = entry.invitation;
    this.#kept.delete(groupId);
    this.#kept.set(groupId, entry.invitation);
    const ofOne = [...this.#kept.values()].filter((each) => each.from === from);
    for (const each of ofOne.slice(0, -MOST_OF_ONE)) this.#kept.delete(each.groupId);
    for (const oldest of [...this.#kept.keys()].slice(0, -MOST)) this.#kept.delete(oldest);
  }

  entries(): InvitationEntry[] {
    return [...this.#kept.values()].map((invitation) => ({ invitation }));
  }
}
