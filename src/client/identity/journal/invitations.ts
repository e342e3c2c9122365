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

/** The limit. */
const MOST = 200;
/** The limit for one inviter, so that a stranger leaves room for others; the oldest are dropped. */
const MAX_OF_ONE = 10;

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
  readonly #isPartner: (address: string) => boolean;
  /** The newest of each inviter for each group, in order of arrival. */
  readonly #kept = new Map<string, KeptInvitation>();

  /**
   * @param write makes a line durable, and calls {@link apply}
   * @param isPartner reports whether the program has written to an address. Invitations of others are dropped first
   */
  constructor(write: (entry: InvitationEntry) => void, isPartner: (address: string) => boolean) {
    this.#write = write;
    this.#isPartner = isPartner;
  }

  keep(invitation: KeptInvitation): void {
    this.#write({ invitation });
  }

  /** Removes the invitations to a joined group. */
  use(groupId: string): void {
    if (this.#ofGroup(groupId).length > 0) this.#write({ usedInvitation: groupId });
  }

  /**
   * The unexpired invitations to a group, those of partners first, then the newest. Anyone can send a false one.
   * @param now milliseconds since 1970
   */
  to(groupId: string, now: number): KeptInvitation[] {
    const rank = ({ from }: KeptInvitation) => (this.#isPartner(from) ? 0 : 1);
    return this.all(now)
      .filter((each) => each.groupId === groupId)
      .toSorted((one, other) => rank(one) - rank(other));
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
      for (const used of this.#ofGroup(entry.usedInvitation)) this.#kept.delete(keyOf(used));
      return;
    }
    const { from } = entry.invitation;
    this.#kept.delete(keyOf(entry.invitation));
    this.#kept.set(keyOf(entry.invitation), entry.invitation);
    const ofOne = [...this.#kept.values()].filter((each) => each.from === from);
    for (const each of ofOne.slice(0, -MAX_OF_ONE)) this.#kept.delete(keyOf(each));
    if (this.#kept.size > MOST) this.#dropOne();
  }

  entries(): InvitationEntry[] {
    return [...this.#kept.values()].map((invitation) => ({ invitation }));
  }

  #ofGroup(groupId: string): KeptInvitation[] {
    return [...this.#kept.values()].filter((each) => each.groupId === groupId);
  }

  /** Drops the oldest invitation of the inviter with the most, if there are any of someone else than partners. */
  #dropOne(): void {
    const all = [...this.#kept.values()];
    const ofOthers = all.filter(({ from }) => !this.#isPartner(from));
    const byInviter = Map.groupBy(ofOthers.length > 0 ? ofOthers : all, ({ from }) => from);
    const [most] = [...byInviter.values()].toSorted((one, other) => other.length - one.length);
    const [oldest] = most ?? [];
    if (oldest) this.#kept.delete(keyOf(oldest));
  }
}

function keyOf({ groupId, from }: KeptInvitation): string {
  return `${groupId} ${from}`;
}
