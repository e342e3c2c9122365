import { randomBytes } from 'node:crypto';
import { toBase64url } from './bytes.ts';
import { isEntryName, msOf } from './forms.ts';
import { readChain, readView } from './group-reading.ts';
import { type SigningKey, signingKey } from './keys.ts';
import type { KnownGroup, Memory } from './memory.ts';
import type { OwnDevice } from './own-account.ts';
import { admissionBytes, type PasswordKeys, passwordKeys, proofBytes } from './password.ts';
import { Refusal } from './refusal.ts';
import { ANSWER_BYTES, mustAnswer, Problem, type Relay } from './relay.ts';
import {
  bodyOf,
  type ChangeFields,
  type Entry,
  entryHash,
  groupIdOf,
  type KnownBody,
  readBody,
  signEntry,
} from './roster-entry.ts';
import { judgeEntry } from './roster-fold.ts';
import { type GroupState, isMember, lastEntry } from './roster-state.ts';
import { type Signer, signTicket, type Ticket } from './ticket.ts';

/** Actions on a group: each is an entry of its chain, or a ticket for one (section 11). */

export const signerOf = (device: OwnDevice): Signer => ({
  address: device.address,
  device: device.key,
  list: device.list.sequence,
});

/** The acting device with its session and its stored state. */
export interface Actor {
  relay: Relay;
  memory: Memory;
  device: OwnDevice;
  now: () => number;
}

const nameOf = (entry: Entry) => {
  const bytes = bodyOf(entry);
  return { epoch: readBody(bytes).epoch, hash: entryHash(bytes) };
};

/** Ways to join a new group. */
export interface NewGroup {
  name: string;
  join?: 'open' | 'invite';
  password?: string;
  listed?: boolean;
  settings?: ChangeFields;
}

/** Creates a group. Settings other than the defaults are set by a change right after the `create`. */
export async function createGroup(actor: Actor, group: NewGroup): Promise<string> {
  const signer = signerOf(actor.device);
  const issued = actor.now();
  const founding = { kind: 'create' as const, nonce: toBase64url(randomBytes(16)), name: group.name };
  const create = signEntry(signer, null, null, issued, founding);
  const id = groupIdOf(bodyOf(create));
  const keys = group.password === undefined ? null : await passwordKeys(id, group.password);
  const change: ChangeFields = {
    ...group.settings,
    ...(group.join === undefined ? {} : { join: group.join }),
    ...(keys === null ? {} : { join: 'password', joinKey: keys.key.key }),
  };
  const hasChange = Object.keys(change).length > 0;
  const second = hasChange
    ? [signEntry(signer, id, nameOf(create), issued, { kind: 'change', ...change })]
    : [];
  const body = {
    entries: [create, ...second],
    ...(keys === null ? {} : { password: keys.passwordProof }),
    ...(group.listed === undefined ? {} : { listed: group.listed }),
  };
  const { body: shown } = await actor.relay.call('/groups', {
    method: 'POST',
    body,
    statuses: [200, 201],
    mostBytes: ANSWER_BYTES.group,
  });
  readView(shown, id);
  await readChain(actor.relay, actor.memory, id, actor.now());
  return id;
}

/** Posts an entry; the answer must name it. */
export async function postEntry(
  relay: Relay,
  id: string,
  entry: Entry,
  passwordProof?: string,
): Promise<void> {
  const body = passwordProof === undefined ? { entry } : { entry, password: passwordProof };
  const answer = await relay.call(`/groups/${id}/roster`, { method: 'POST', body });
  const name = nameOf(entry);
  mustAnswer(answer.body.epoch === name.epoch && answer.body.hash === name.hash, 'another entry');
}

const TRIES = 5;

/**
 * Signs the next entry of a chain, judges it, posts it, and folds it after the relay's answer. If another
 * entry was first, reads the chain and signs again. `make` returns the fields for the current chain.
 */
async function append(
  actor: Actor,
  id: string,
  make: (state: GroupState) => KnownBody,
  passwordProof?: string,
  notBefore = 0,
): Promise<KnownGroup> {
  const { relay, memory, device, now } = actor;
  for (let attempt = 1; ; attempt++) {
    const { state } = memory.group(id);
    const last = lastEntry(state);
    if (last === null) throw new Refusal('unknown_group');
    const issued = Math.max(now(), msOf(last.head.issued), notBefore);
    const entry = signEntry(signerOf(device), id, last, issued, make(state));
    try {
      const judged = judgeEntry(state, entry, now(), (address, sequence) =>
        address === device.address && sequence === device.list.sequence
          ? device.list
          : memory.list(address, sequence),
      );
      if (judged.is === 'refused') throw new Refusal(judged.reason);
      await postEntry(relay, id, entry, passwordProof);
      return await readChainAfter(actor, id);
    } catch (error) {
      const isRace = error instanceof Problem && error.code === 'roster_conflict';
      if (!isRace || attempt === TRIES) throw error;
      await readChain(relay, memory, id, now());
    }
  }
}

/** A member who left can no longer read the chain. */
async function readChainAfter({ relay, memory, now }: Actor, id: string): Promise<KnownGroup> {
  try {
    return await readChain(relay, memory, id, now());
  } catch (error) {
    if (error instanceof Problem && ['not_a_member', 'not_found'].includes(error.code))
      return memory.group(id);
    throw error;
  }
}

/** Changes a group. A new password takes effect with the way to join. */
export async function changeGroup(
  actor: Actor,
  id: string,
  fields: ChangeFields,
  password?: string,
): Promise<KnownGroup> {
  const keys = password === undefined ? null : await passwordKeys(id, password);
  const all: ChangeFields = {
    ...fields,
    ...(keys === null ? {} : { join: 'password', joinKey: keys.key.key }),
  };
  await readChain(actor.relay, actor.memory, id, actor.now());
  return append(actor, id, () => ({ kind: 'change', ...all }), keys?.passwordProof);
}

export async function leaveGroup(actor: Actor, id: string): Promise<KnownGroup> {
  await readChain(actor.relay, actor.memory, id, actor.now());
  return append(actor, id, () => ({ kind: 'leave' }));
}

/** The credentials with which an address joins. */
export type Way = { password: string } | { link: SigningKey } | { ticket: Ticket } | 'open';

/** Requests admission, which allows reading and posting to the chain for ten minutes. */
export async function requestAdmission(actor: Actor, id: string, way: Way): Promise<PasswordKeys | null> {
  let keys: PasswordKeys | null = null;
  let body: object = {};
  if (way !== 'open') {
    if ('password' in way) {
      keys = await passwordKeys(id, way.password);
      body = { password: keys.passwordProof };
    } else if ('link' in way) {
      const signature = way.link.sign(admissionBytes(id, actor.device.address));
      body = { link: { key: way.link.key, signature } };
    } else body = { ticket: way.ticket };
  }
  const answer = await actor.relay.call(`/groups/${id}/admission`, { method: 'POST', body });
  mustAnswer(isEntryName(answer.body), 'admission');
  const { state } = await readChain(actor.relay, actor.memory, id, actor.now());
  const { epoch, hash } = answer.body;
  const shown = state.entries[epoch - 1];
  mustAnswer(shown === undefined ? lastEntry(state) === null : shown.hash === hash, 'another chain');
  return keys;
}

/** Joins a group. */
export async function joinGroup(actor: Actor, id: string, way: Way): Promise<KnownGroup> {
  const keys = await requestAdmission(actor, id, way);
  const { address } = actor.device;
  const ticketed = way !== 'open' && 'ticket' in way ? msOf(way.ticket.issued) : 0;
  const make = (state: GroupState): KnownBody => {
    const proof = proofBytes(id, lastEntry(state)?.hash ?? '', address);
    if (way === 'open') return { kind: 'join' };
    if ('ticket' in way) return { kind: 'join', ticket: way.ticket };
    if ('link' in way) return { kind: 'join', link: { key: way.link.key, signature: way.link.sign(proof) } };
    return { kind: 'join', password: keys?.key.sign(proof) ?? '' };
  };
  return append(actor, id, make, undefined, ticketed);
}

/** A ticket for `address`, dated after the last entry; it ends after `lifeMs`. */
export function inviteTo(actor: Actor, id: string, address: string, lifeMs: number): Ticket {
  const last = lastEntry(actor.memory.group(id).state);
  if (last === null) throw new Refusal('unknown_group');
  const issued = Math.max(actor.now(), msOf(last.head.issued) + 1);
  return signTicket(id, signerOf(actor.device), address, { issued, expires: issued + lifeMs });
}

/** A new link, with the seed to pass on. */
export function newLink(expires: string): {
  seed: Uint8Array;
  key: SigningKey;
  link: { key: string; expires: string };
} {
  const seed = randomBytes(32);
  const key = signingKey(seed);
  return { seed, key, link: { key: key.key, expires } };
}

/** Creates a group token for a bot; its secret is returned once. First the token, then the bot's key. */
export async function createToken(
  relay: Relay,
  id: string,
  name: string,
): Promise<{ id: string; secret: string }> {
  const { body } = await relay.call(`/groups/${id}/tokens`, {
    method: 'POST',
    body: { name },
    statuses: [201],
  });
  mustAnswer(typeof body.id === 'string', 'id');
  mustAnswer(typeof body.secret === 'string' && /^gtk_live_[A-Za-z0-9_-]{43}$/.test(body.secret), 'secret');
  return { id: body.id, secret: body.secret };
}

/** Reports whether the own address is a member according to the chain. */
export const amMember = ({ memory, device }: Actor, id: string): boolean =>
  isMember(memory.group(id).state, device.address);
