import { fromBase64url } from './bytes.ts';
import { DAY_MS, type DeviceList, deviceIn, hasEnded } from './device-list.ts';
import { msOf } from './forms.ts';
import { isSigned } from './keys.ts';
import { proofBytes } from './password.ts';
import { must } from './refusal.ts';
import type { BodyHead, ChangeFields, JoinFields, KnownBody } from './roster-entry.ts';
import {
  addMember,
  endMember,
  type GroupState,
  isMember,
  isOwner,
  JOINS_BY_TICKET_ONLY,
  MEMBERS_MOST,
  nameList,
  setBots,
  setCreator,
  uninvite,
} from './roster-state.ts';
import { isTicketSigned, type Ticket } from './ticket.ts';

/** Step 6 of the fold: the rights. Each rule refuses with its name. Afterwards the entry takes effect. */

/** A proven device list by address and number. Throws `MissingList` if it is not available. */
export type ListOf = (address: string, sequence: number) => DeviceList;

const TICKET_LIFE_MS = 30 * DAY_MS;
const JOINS_A_DAY = 5;

const joinsLately = (state: GroupState, address: string, issued: number): number[] =>
  (state.joins.get(address) ?? []).filter((at) => at > issued - DAY_MS);

function requireValidTicket(
  state: GroupState,
  ticket: Ticket,
  by: string,
  joined: number,
  listOf: ListOf,
): void {
  const [issued, expires] = [msOf(ticket.issued), msOf(ticket.expires)];
  must(ticket.address === by, 'ticket_for_another');
  must(issued < expires && expires - issued <= TICKET_LIFE_MS, 'ticket_life');
  must(joined >= issued, 'ticket_not_yet');
  must(joined < expires, 'ticket_expired');
  const ended = Math.max(state.gone.get(by) ?? -1, state.uninvited.get(by) ?? -1, state.ticketFloor);
  must(issued > ended, 'ticket_void');
  must(isOwner(state, ticket.by), 'ticket_signer');
  const device = deviceIn(listOf(ticket.by, ticket.list), ticket.deviceId);
  const highest = Math.max(ticket.list, state.highestList.get(ticket.by) ?? 0);
  const now = deviceIn(listOf(ticket.by, highest), ticket.deviceId);
  must(device !== undefined && now !== undefined, 'ticket_device');
  must(!hasEnded(device, issued) && !hasEnded(now, joined), 'ticket_device_expired');
  must(isTicketSigned(state.groupId, ticket, device.key), 'wrong_ticket_signature');
}

function mustJoin(
  state: GroupState,
  head: BodyHead,
  fields: JoinFields,
  issued: number,
  listOf: ListOf,
): void {
  const { by } = head;
  must(!isMember(state, by), 'already_member');
  must(joinsLately(state, by, issued).length < JOINS_A_DAY, 'too_many_joins');
  must(state.memberCount < MEMBERS_MOST, 'too_many_members');
  if (fields.ticket !== undefined) {
    requireValidTicket(state, fields.ticket, by, issued, listOf);
    return;
  }
  must(!state.removed.has(by) && state.entries.length < JOINS_BY_TICKET_ONLY, 'ticket_needed');
  const proof = proofBytes(state.groupId, head.previous ?? '', by);
  const isValid = (key: string, signature: string) =>
    isSigned(fromBase64url(key, 32), fromBase64url(signature, 64), proof);
  if (fields.link !== undefined) {
    const { key, signature } = fields.link;
    const link = state.links.find((one) => one.key === key);
    must(link !== undefined, 'unknown_link');
    must(issued < msOf(link.expires), 'link_expired');
    must(isValid(key, signature), 'wrong_link_signature');
  } else if (fields.password !== undefined) {
    must(state.join === 'password' && state.joinKey !== null, 'no_password');
    must(isValid(state.joinKey, fields.password), 'wrong_password');
  } else must(state.join === 'open', 'proof_needed');
}

const ADMINS_MAY = new Set(['kind', 'remove', 'uninvite', 'name', 'description', 'timer']);
const HEAD = new Set(['epoch', 'previous', 'issued', 'by', 'list']);

function mustChange(state: GroupState, by: string, fields: ChangeFields): void {
  must(isMember(state, by), 'not_a_member');
  const isCreator = state.creator === by;
  const isInBounds = Object.keys(fields).every((name) => ADMINS_MAY.has(name) || HEAD.has(name));
  must(isCreator || (state.admins.includes(by) && isInBounds), 'not_allowed');
  const remove = fields.remove ?? [];
  must(
    remove.every((address) => isMember(state, address)),
    'remove_not_a_member',
  );
  const mayRemove = (address: string) =>
    address !== state.creator && (isCreator || !state.admins.includes(address));
  must(remove.every(mayRemove), 'remove_not_allowed');
  const stays = (address: string) => isMember(state, address) && !remove.includes(address);
  const creator = fields.creator ?? state.creator;
  if (fields.creator !== undefined) {
    must(fields.creator !== by && stays(fields.creator), 'wrong_creator');
    const isBare = ['bots', 'links', 'unsignedBots'].every((name) => !(name in fields));
    must(isBare, 'bots_with_transfer');
  }
  const mayBeAdmin = (address: string) => stays(address) && address !== creator;
  must((fields.admins ?? []).every(mayBeAdmin), 'admin_not_a_member');
  must(fields.join !== 'password' || (fields.joinKey ?? state.joinKey) !== null, 'join_key_missing');
}

/** Refuses an act without the necessary rights, before any change. */
export function mustBeAllowed(
  state: GroupState,
  head: BodyHead,
  known: KnownBody,
  issued: number,
  listOf: ListOf,
): void {
  if (known.kind === 'join') mustJoin(state, head, known, issued, listOf);
  else if (known.kind === 'leave') must(isMember(state, head.by), 'not_a_member');
  else if (known.kind === 'change') mustChange(state, head.by, known);
}

function change(state: GroupState, head: BodyHead, fields: ChangeFields, issued: number): void {
  for (const address of fields.remove ?? []) {
    endMember(state, address, head, issued);
    state.removed.add(address);
  }
  if (fields.remove !== undefined) state.removals.push({ epoch: head.epoch, issued });
  if (fields.creator !== undefined) setCreator(state, fields.creator, head, issued);
  if (fields.uninvite !== undefined) uninvite(state, fields.uninvite, issued);
  if (fields.bots !== undefined) setBots(state, fields.bots, head, issued);
  const { name, description, join, joinKey, admins, links, timer, unsignedBots } = fields;
  state.name = name ?? state.name;
  state.description = description ?? state.description;
  state.join = join ?? state.join;
  state.joinKey = joinKey ?? state.joinKey;
  state.admins = admins ?? state.admins;
  state.links = links ?? state.links;
  state.timer = timer ?? state.timer;
  state.unsignedBots = unsignedBots ?? state.unsignedBots;
}

/** Applies a valid entry to the state. */
export function applyEntry(state: GroupState, head: BodyHead, known: KnownBody, issued: number): void {
  nameList(state, head.by, head.list);
  if (known.kind === 'create') {
    state.name = known.name;
    addMember(state, head.by, head.epoch);
    state.creator = head.by;
  } else if (known.kind === 'join') {
    if (known.ticket !== undefined) nameList(state, known.ticket.by, known.ticket.list);
    state.joins.set(head.by, [...joinsLately(state, head.by, issued), issued]);
    addMember(state, head.by, head.epoch);
  } else if (known.kind === 'leave') endMember(state, head.by, head, issued);
  else change(state, head, known, issued);
}
