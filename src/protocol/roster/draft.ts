/**
 * A state while entries are folded onto it: a copy of its own, changed only by entries that hold.
 */
import { MOST_UNINVITED } from './limits.ts';
import { personOf, type RosterPerson, type RosterState } from './state.ts';

export type RosterDraft = { -readonly [Field in keyof RosterState]: RosterState[Field] } & {
  people: Record<string, RosterPerson>;
  uninvited: Record<string, number>;
};

export function draftOf(state: RosterState): RosterDraft {
  return { ...state, people: { ...state.people }, uninvited: { ...state.uninvited } };
}

/** Changes what is known of someone who is or was a member. */
export function changePerson(draft: RosterDraft, address: string, change: Partial<RosterPerson>): void {
  const person = personOf(draft, address);
  if (person) draft.people[address] = { ...person, ...change };
}

/** A member becomes none, and loses its rights. */
export function depart(draft: RosterDraft, address: string, at: number, removed: boolean): void {
  changePerson(draft, address, { since: null, departed: at, removed });
  draft.memberCount -= 1;
  draft.admins = draft.admins.filter((admin) => admin !== address);
  if (draft.creator === address) {
    draft.creator = null;
    endCreatorsRights(draft);
  }
}

/** What the creator answered for, and what nobody else may take back, ends with the creator. */
export function endCreatorsRights(draft: RosterDraft): void {
  draft.bots = [];
  draft.links = [];
  draft.unsignedBots = false;
}

/**
 * Withdraws the tickets of addresses, members or not. When there are too many to be kept, the earliest are forgotten
 * together, and every ticket of their time is void.
 */
export function uninvite(draft: RosterDraft, addresses: readonly string[], at: number): void {
  for (const address of addresses) draft.uninvited[address] = at;
  while (Object.keys(draft.uninvited).length > MOST_UNINVITED) {
    const earliest = Object.values(draft.uninvited).reduce((least, time) => Math.min(least, time));
    const kept = Object.entries(draft.uninvited).filter(([, time]) => time > earliest);
    draft.uninvited = Object.fromEntries(kept);
    draft.ticketsAfter = Math.max(draft.ticketsAfter, earliest);
  }
}
