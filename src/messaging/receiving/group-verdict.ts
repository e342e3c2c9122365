/**
 * The verdict on a group message by the entry of the group's chain that it names.
 */
import type { RosterBot, RosterEntry } from '../../protocol/roster/forms.ts';
import type { GroupMessage, GroupRefusal } from '../../protocol/roster/messages.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import type { RosterState } from '../../protocol/roster/state.ts';

/** The part of a group that receiving reads. */
export interface ChainGroup {
  groupId: string;
  state: RosterState;
}

/** The facts of a group message that decide its verdict. Times are milliseconds since 1970. */
export interface GroupMessageFacts extends GroupMessage {
  readonly groupId: string;
  /** True if hellos about the chain may be exchanged with its sender: never for an unsigned message. */
  readonly isSigned: boolean;
  /** The maximum age of the relay's answer to use in place of a new call, in milliseconds. */
  readonly freshFor: number;
}

/** Notes for the person beside a group message. */
export interface RosterNotes {
  /** Addresses that had been removed ten minutes before, without the sender's knowledge. */
  unaware: readonly string[];
  /** True if its sender knows of changes that the relay does not show. */
  isBeyond: boolean;
}

export type GroupVerdict<G extends ChainGroup> =
  /** `manages`: whether its sender has the rights of a creator or admin by that entry. */
  | ({ is: 'shown'; group: G; bot: RosterBot | null; manages: boolean } & RosterNotes)
  /** It names an entry that the relay does not show: this device requests it, and the message waits. */
  | { is: 'pending'; group: G; bot: RosterBot | null }
  | { is: 'refused'; why: GroupRefusal };

/** The groups of the recipient, as receiving uses them. */
export interface GroupVerdicts<G extends ChainGroup> {
  /**
   * Judges a message in one of the recipient's groups. Reads the chain from the relay if necessary.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  judgeMessage(message: GroupMessageFacts): Promise<GroupVerdict<G>>;
  /**
   * Handles the part of a `hello` that is about a group.
   * @param hello `roster`: the newest entry that its sender knows. `entries`: entries of the chain, not verified
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  receiveHello(
    sender: string,
    hello: { groupId: string; roster: RosterReference | null; entries: readonly RosterEntry[] },
  ): Promise<void>;
}
