/** A state during folding: a copy, changed only by valid entries. */
import { MAX_UNINVITED } from './limits.ts';
import { personOf, type RosterPerson, type RosterState } from './state.ts';

export type RosterDraft = { -readonly [Field in keyof RosterState]: RosterState[Field] } & {
  people: Record<string, RosterPerson>;
  uninvited: Record<string, number>;
};

export function draftOf(state: RosterState): RosterDraft {
  return { ...state, people: { ...state.people }, uninvited: { ...state.uninvited } };
}

/** Changes the record of a current or former member. */
export function changePerson(draft: RosterDraft, address: string, change: Partial<RosterPerson>): void {
  const person = personOf(draft, address);
  if (person) draft.people[address] = { ...person, ...change };
}

/** Ends a membership, with its rights. */
export function depart(draft: RosterDraft, address: string, at: number, removed: boolean): void {
  changePerson(draft, address, { since: null, departed: at, removed });
  draft.memberCount -= 1;
  draft.admins = draft.admins.filter((admin) => admin !== address);
  if (draft.creator === address) {
    draft.creator = null;
    endCreatorsRights(draft);
  }
}

/** Ends the rights granted by the creator, which no other member may revoke, with the creator's own. */
export function endCreatorsRights(draft: RosterDraft): void {
  draft.bots = [];
  draft.links = [];
  draft.unsignedBots = false;
}

/**
 * Withdraws the tickets of addresses, members or not. If there are too many to store, the earliest are
 * forgotten together, and every ticket of their time is void.
 */
export function uninvite(draft: RosterDraft, addresses: readonly string[], at: number): void {
  for (const address of addresses) draft.uninvited[address] = at;
  while (Object.keys(draft.uninvited).length > MAX_UNINVITED) {
    const earliest = Object.values(draft.uninvited).reduce((least, time) => Math.min(least, time));
    const kept = Object.entries(draft.uninvited).filter(([, time]) => time > earliest);
    draft.uninvited = Object.fromEntries(kept);
    draft.ticketsAfter = Math.max(draft.ticketsAfter, earliest);
  }
}
