import { randomBytes } from 'node:crypto';
import { toBase64url } from '../bytes.ts';
import { proveList } from '../device-list.ts';
import { type EntryName, msOf } from '../forms.ts';
import { joinGroup as join, signerOf, type Way } from '../group-acts.ts';
import { readChain as fold, groupBlock, readView } from '../group-reading.ts';
import type { SigningKey } from '../keys.ts';
import { Memory } from '../memory.ts';
import { type Body, encodePayload, newId } from '../payload.ts';
import { must } from '../refusal.ts';
import { Relay } from '../relay.ts';
import { bodyOf, type Entry, groupIdOf, type KnownBody, signEntry } from '../roster-entry.ts';
import { type GroupState, lastEntry } from '../roster-state.ts';
import type { Envelope } from '../seal.ts';
import { isUsable } from '../seal-key.ts';
import { signTicket, type Ticket } from '../ticket.ts';
import type { Account, SomeBody } from './account.ts';
import type { Answer, Calls, Group, Problem } from './calls.ts';
import { sealEach } from './copies.ts';
import type { Device } from './device.ts';

/** Groups for which a test creates each entry and copy. */

/** @throws Refusal when the wallets of the members have not certified the keys of the group */
export async function proveKeys({ members, memberDeviceKeys, memberDevices }: Group): Promise<void> {
  const now = Date.now();
  for (const member of members) {
    const devices = memberDevices[member];
    must(devices !== undefined, 'unproven', `nothing proves the keys of ${member}`);
    const { deviceList, sealKeys } = devices;
    await proveList(member, deviceList, now);
    const isProven = sealKeys.every((sealKey) => isUsable(member, deviceList, sealKey, now));
    must(isProven, 'unproven', `no device vouches for a key of ${member}`);
    const certified = sealKeys.map(({ key }) => key).join();
    must(
      memberDeviceKeys[member]?.join() === certified,
      'unproven',
      `other keys of ${member} than those proven`,
    );
  }
}

/**
 * The body of a text message to a group.
 * @param sender the address under which the relay will route it
 * @param signer whose device will sign it; none for a program
 */
export function groupText(group: Group, sender: string, text: string, signer?: Account): SomeBody {
  return {
    id: newId(),
    sender,
    sentAt: new Date().toISOString(),
    seq: 0,
    kind: 'text',
    groupId: group.id,
    roster: group.roster,
    text,
    ...signer?.listNamed(),
  };
}

/**
 * One copy of a message for each device key of the group. Without a device it is unsigned.
 * @param calls of any credential, for the ML-KEM keys
 */
export function sealForGroup(
  calls: Calls,
  group: Group,
  body: Body,
  device: Device | null = null,
): Promise<Envelope[]> {
  const payload = encodePayload('group', body, device && { by: 'device', key: device.key });
  return copiesOf(calls, group, body.sender, payload, device === null);
}

/** The same, signed by a bot. */
export function sealByBot(calls: Calls, group: Group, body: Body, key: SigningKey): Promise<Envelope[]> {
  return copiesOf(calls, group, body.sender, encodePayload('group', body, { by: 'bot', key }), true);
}

async function copiesOf(
  calls: Calls,
  group: Group,
  from: string,
  payload: Uint8Array,
  automated: boolean,
): Promise<Envelope[]> {
  const header = { asRequest: false, automated, senderListSequence: 0, recipientListSequence: 0 };
  const relay = new Relay(calls.relay, calls.token);
  const memory = new Memory();
  const copies: Envelope[] = [];
  for (const [to, keys] of Object.entries(group.memberDeviceKeys)) {
    const statements = (group.memberDevices[to]?.sealKeys ?? []).filter(({ key }) => keys.includes(key));
    copies.push(...(await sealEach(relay, memory, { from, to }, statements, header, payload)));
  }
  return copies;
}

/** An entry that follows another, or the first: of any kind, with any fields. */
export function entryBy(
  account: Account,
  after: GroupState | null,
  kind: string,
  fields: object = {},
): Entry {
  const last = after && lastEntry(after);
  const at = Math.max(Date.now(), last === null ? 0 : msOf(last.head.issued));
  const known = { kind, ...fields } as KnownBody;
  return signEntry(signerOf(account.own), after?.groupId ?? null, last, at, known);
}

/** The first entry of a group, and its id. */
export function beginning(account: Account, name: string) {
  const create = entryBy(account, null, 'create', { nonce: toBase64url(randomBytes(16)), name });
  const bytes = bodyOf(create);
  return { id: groupIdOf(bytes), entries: [create] };
}

/** Reads the chain of a group and folds it. @throws Refusal if it is invalid */
export async function readChain(account: Account, id: string, calls?: Calls): Promise<GroupState> {
  const { relay, memory } = account.actor(calls);
  const { state, problem } = await fold(relay, memory, id, Date.now());
  must(problem === null, problem ?? '', 'the chain does not hold');
  return state;
}

/** The name of the newest entry of a chain. */
export function endOf(state: GroupState): EntryName {
  const last = lastEntry(state);
  must(last !== null, 'unknown_group');
  return { epoch: last.epoch, hash: last.hash };
}

/** Verifies that the relay's view matches the chain. @throws Refusal otherwise */
export function compareWithChain(group: Group, state: GroupState): void {
  const view = readView({ ...group }, state.groupId);
  const known = { state, split: null, problem: null };
  const why = groupBlock({ known, view }, new Memory());
  // The members' newest lists are unknown here.
  must(why === null || why === 'dropped_signer', why ?? '', 'the view is not the chain’s');
  must(view.creator === state.creator && view.name === state.name, 'another_view');
}

/** Requests the chain of a group, with a proof that allows joining. */
export function admission(account: Account, id: string, body: object = {}) {
  return account.session.send<EntryName & Problem>('POST', `/groups/${id}/admission`, body);
}

/** Posts an entry, with any answer. */
export function post(account: Account, id: string, entry: Entry): Promise<Answer<EntryName & Problem>> {
  return account.session.send('POST', `/groups/${id}/roster`, { entry });
}

/** Joins an open group, or one with a password or by a ticket. @throws Problem when the relay does not take it */
export async function joinGroup(
  account: Account,
  id: string,
  { password, ticket }: { password?: string; ticket?: Ticket } = {},
): Promise<Group> {
  const way: Way = password !== undefined ? { password } : ticket !== undefined ? { ticket } : 'open';
  await join(account.actor(), id, way);
  return account.session.expect<Group>(200, 'GET', `/groups/${id}`);
}

/** Signs a `leave` or a `change` after the last entry. @throws Error when the relay does not take it */
export async function addTo(
  account: Account,
  id: string,
  kind: 'leave' | 'change',
  fields: object = {},
): Promise<void> {
  const { status, body } = await tryTo(account, id, kind, fields);
  if (status !== 200) throw new Error(`POST /groups/${id}/roster: ${status} ${JSON.stringify(body)}`);
}

/** The same, with any answer: the entry follows the last one of a chain that another account may read. */
export async function tryTo(
  account: Account,
  id: string,
  kind: 'leave' | 'change' | 'join',
  fields: object = {},
  reader = account,
): Promise<Answer<EntryName & Problem>> {
  return post(account, id, entryBy(account, await readChain(reader, id), kind, fields));
}

const MONTH_MS = 30 * 24 * 60 * 60_000;

/** A ticket for an address, by an account that is creator or admin of the group; it ends after 30 days. */
export function ticketBy(account: Account, groupId: string, address: string): Ticket {
  const issued = Date.now();
  return signTicket(groupId, signerOf(account.own), address, { issued, expires: issued + MONTH_MS });
}
