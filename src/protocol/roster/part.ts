/**
 * The part of a state that one entry can change. A relay with many chains loads only this part, not all the people of
 * a group, and the fold returns the same result.
 */
import { openEntry } from './entry.ts';
import { type RosterEntry, readKind, type Ticket } from './forms.ts';

export interface RosterPart {
  /** Addresses whose entries of `people` are needed. */
  readonly people: readonly string[];
  /** Addresses whose entries of `uninvited` are needed, or all of them. */
  readonly uninvited: readonly string[] | 'all';
  /** The needed device lists. For a ticket's signer also the highest that the chain names. */
  readonly lists: readonly { readonly address: string; readonly sequence: number }[];
}

/** The part for judging and folding an entry; null for an invalid entry. */
export function partOfEntry(entry: RosterEntry): RosterPart | null {
  const json = openEntry(entry)?.json;
  if (!json) return null;
  const signer = { address: json.by, sequence: json.list };
  const body = readKind(json);
  if (!body || body === 'newer') return { people: [json.by], uninvited: [], lists: [signer] };
  if (body.kind === 'join' && body.ticket) {
    const { people, uninvited, lists } = partOfAdmission(json.by, body.ticket);
    return { people, uninvited, lists: [signer, ...lists] };
  }
  if (body.kind !== 'change') return { people: [json.by], uninvited: [], lists: [signer] };
  const named = [json.by, ...(body.remove ?? []), ...(body.admins ?? [])];
  return {
    people: [...new Set(body.creator === undefined ? named : [...named, body.creator])],
    uninvited: body.uninvite ? 'all' : [],
    lists: [signer],
  };
}

/** The part for judging whether an address may read a group. */
export function partOfAdmission(address: string, ticket?: Ticket): RosterPart {
  if (!ticket) return { people: [address], uninvited: [], lists: [] };
  return {
    people: [...new Set([address, ticket.by])],
    uninvited: [address],
    lists: [{ address: ticket.by, sequence: ticket.list }],
  };
}
