/**
 * Groups as chains of signed entries, protocol §11: 'Rosters'. Making entries, and folding those of others.
 */
import { createPrivateKey, type KeyObject, randomBytes, scrypt, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import { addressBytes, type Bytes, base64url, concat, fromBase64url, same, sha256, utf8 } from './bytes.ts';
import type { Answer, Group, Problem } from './calls.ts';
import { type DeviceList, isSignedBy, verifyDeviceList } from './device.ts';
import { isBase64url, isRecord, isSequence, isTime } from './forms.ts';
import { isTicket, proofBytes, type Ticket, ticketHolds, verifyBy } from './joining.ts';
import { isKind } from './payload.ts';

const MOST_BYTES = 16_384;
const MOST_ENTRIES = 50_000;
const MOST_MEMBERS = 5_000;
const SKEW = 5 * 60_000;
const DAY = 86_400_000;
const JOINS_A_DAY = 5;
/** What admins may change beside the creator. */
const OF_ADMINS = ['remove', 'uninvite', 'name', 'description', 'timer'];
const BASE = ['epoch', 'previous', 'issued', 'by', 'list', 'kind'];
const FIELDS: Record<string, string[]> = {
  create: ['nonce', 'name'],
  join: ['password', 'link', 'ticket'],
  leave: [],
  change: [...OF_ADMINS, 'join', 'joinKey', 'admins', 'bots', 'links', 'unsignedBots', 'creator'],
};

export interface Entry {
  body: string;
  deviceId: string;
  signature: string;
}

export interface EntryBody {
  epoch: number;
  previous: string | null;
  issued: string;
  by: string;
  list: number;
  kind: string;
  [field: string]: unknown;
}

/** An entry by its number and hash, as messages name it. */
export interface Place {
  epoch: number;
  hash: string;
}

/** The list of an address with a number, proven. @throws Error when it is not to be had */
export type ListOf = (address: string, sequence: number) => Promise<DeviceList>;

/** A group as its chain says. */
export class Chain {
  readonly groupId: string;
  readonly entries: Entry[] = [];
  name = '';
  description = '';
  creator: string | null = null;
  join = 'invite';
  joinKey: string | null = null;
  issued = new Date(0).toISOString();
  admins: string[] = [];
  links: { key: string; expires: string }[] = [];
  unsignedBots = false;
  bots: { key: string; name: string }[] = [];
  /** Bots that stood once: after which entries they did not, when that was signed, and by whom. */
  readonly ended: { key: string; epoch: number; issued: string; by: string }[] = [];
  members: ReadonlySet<string> = new Set();
  /** When an address left, was removed or uninvited last, by address. */
  readonly departed = new Map<string, string>();
  /** The highest list that the chain names, by address. */
  readonly named = new Map<string, number>();
  readonly #removed = new Set<string>();
  readonly #joins = new Map<string, number[]>();
  /** The hash of each entry, and who was in the group after it. */
  readonly #after: { hash: string; members: ReadonlySet<string> }[] = [];

  constructor(groupId: string) {
    this.groupId = groupId;
  }

  get epoch(): number {
    return this.entries.length;
  }

  get hash(): string | null {
    return this.#after.at(-1)?.hash ?? null;
  }

  /** The group after the entry that a message names; null when the chain has no such entry. */
  after({ epoch, hash }: Place): { members: ReadonlySet<string> } | null {
    const found = this.#after[epoch - 1];
    return found?.hash === hash ? found : null;
  }

  /** Judges the next entry and takes it. @throws Error with the rule that it breaks */
  async take(entry: Entry, listOf: ListOf, now = Date.now()): Promise<void> {
    const bytes = fromBase64url(entry.body);
    const body = readBody(bytes);
    if (this.epoch >= MOST_ENTRIES) throw new Error('the chain is full');
    if (body.epoch !== this.epoch + 1 || body.previous !== this.hash) throw new Error('it does not follow');
    if ((body.kind === 'create') !== (this.epoch === 0)) throw new Error('only the first creates the group');
    if (this.epoch === 0 && groupIdOf(bytes) !== this.groupId) throw new Error('it creates another group');
    if (body.issued < this.issued) throw new Error('it is dated before the last entry');
    if (Date.parse(body.issued) > now + SKEW) throw new Error('it is dated ahead of the clock');
    if (body.list < (this.named.get(body.by) ?? 0)) throw new Error('it names an older list than the chain');
    const signed = concat(utf8('waxwing/roster/v1'), sha256(bytes));
    const list = await listOf(body.by, body.list);
    const device = list.devices.find(({ deviceId }) => deviceId === entry.deviceId);
    if (!device || device.validUntil <= body.issued) throw new Error('its device does not stand in the list');
    if (!isSignedBy(device, signed, fromBase64url(entry.signature)))
      throw new Error('its signature is wrong');
    const known = FIELDS[body.kind];
    if (!known || Object.keys(body).some((field) => !BASE.includes(field) && !known.includes(field))) {
      throw new Error('a later version wrote it');
    }
    const members = new Set(this.members);
    const { bots } = this;
    await this.#apply(body, members, listOf);
    for (const { key } of bots) {
      if (this.bots.some((bot) => bot.key === key)) continue;
      this.ended.push({ key, epoch: body.epoch, issued: body.issued, by: body.by });
    }
    this.members = members;
    this.issued = body.issued;
    this.named.set(body.by, body.list);
    this.entries.push(entry);
    this.#after.push({ hash: base64url(sha256(bytes)), members });
  }

  async #apply(body: EntryBody, members: Set<string>, listOf: ListOf): Promise<void> {
    const { kind, by } = body;
    if (kind === 'create') {
      this.name = String(body.name);
      this.creator = by;
      members.add(by);
    } else if (kind === 'join') {
      await this.#judgeJoin(body, listOf);
      members.add(by);
      this.#removed.delete(by);
      this.#joins.set(by, [...(this.#joins.get(by) ?? []), Date.parse(body.issued)]);
    } else {
      if (!members.has(by)) throw new Error('its signer is no member');
      if (kind === 'leave') this.#goes(by, body.issued, members);
      else this.#change(body, members);
    }
  }

  async #judgeJoin(body: EntryBody, listOf: ListOf): Promise<void> {
    const { by, issued, password, link, ticket } = body;
    if (this.members.has(by)) throw new Error('a member joins');
    if (this.members.size >= MOST_MEMBERS) throw new Error('the group is full');
    const since = Date.parse(issued) - DAY;
    const joins = (this.#joins.get(by) ?? []).filter((at) => at > since);
    if (joins.length >= JOINS_A_DAY) throw new Error('it has joined five times in a day');
    if ([password, link, ticket].filter((proof) => proof !== undefined).length > 1) {
      throw new Error('it has more than one proof');
    }
    if (ticket !== undefined) {
      if (!isTicket(ticket)) throw new Error('its ticket is none');
      await ticketHolds(ticket, this, body, listOf);
      const { by: signer, list } = ticket;
      this.named.set(signer, Math.max(list, this.named.get(signer) ?? 0));
      return;
    }
    if (this.#removed.has(by)) throw new Error('it was removed and has no ticket');
    const proof = proofBytes(this.groupId, String(this.hash), by);
    if (link !== undefined) {
      const { key, signature } = link as { key: string; signature: string };
      const found = this.links.find((each) => each.key === key);
      if (!found || issued >= found.expires || !verifyBy(key, proof, signature)) {
        throw new Error('its link does not serve');
      }
    } else if (password !== undefined) {
      if (this.join !== 'password' || !verifyBy(String(this.joinKey), proof, String(password))) {
        throw new Error('its password is wrong');
      }
    } else if (this.join !== 'open') {
      throw new Error('the group is not open');
    }
  }

  #change(body: EntryBody, members: Set<string>): void {
    const { by, issued } = body;
    const isCreator = by === this.creator;
    if (!isCreator && !this.admins.includes(by)) throw new Error('its signer is neither creator nor admin');
    const fields = Object.keys(body).filter((field) => !BASE.includes(field));
    if (!isCreator && fields.some((field) => !OF_ADMINS.includes(field))) {
      throw new Error('an admin may not change that');
    }
    const remove = (body.remove ?? []) as string[];
    for (const address of remove) {
      const isAdmin = this.admins.includes(address);
      if (!members.has(address) || address === this.creator || (isAdmin && !isCreator)) {
        throw new Error('it removes whom it may not');
      }
    }
    for (const address of remove) {
      this.#goes(address, issued, members);
      this.#removed.add(address);
    }
    for (const address of (body.uninvite ?? []) as string[]) this.departed.set(address, issued);
    if (body.creator !== undefined) this.#handOver(String(body.creator), fields, members);
    const admins = (body.admins ?? this.admins) as string[];
    if (body.admins !== undefined && admins.some((each) => !members.has(each) || each === this.creator)) {
      throw new Error('an admin is a member, and not the creator');
    }
    this.admins = [...admins];
    this.name = (body.name ?? this.name) as string;
    this.description = (body.description ?? this.description) as string;
    this.join = (body.join ?? this.join) as string;
    this.joinKey = (body.joinKey ?? this.joinKey) as string | null;
    this.links = (body.links ?? this.links) as { key: string; expires: string }[];
    this.bots = (body.bots ?? this.bots) as { key: string; name: string }[];
    this.unsignedBots = (body.unsignedBots ?? this.unsignedBots) as boolean;
    if (this.join === 'password' && this.joinKey === null) throw new Error('there is no password to join by');
  }

  #handOver(to: string, fields: string[], members: Set<string>): void {
    if (!members.has(to) || to === this.creator) throw new Error('the new creator is another member');
    if (fields.some((field) => ['bots', 'links', 'unsignedBots'].includes(field))) {
      throw new Error('a new creator sets these');
    }
    this.#endCreator(to);
    this.admins = this.admins.filter((admin) => admin !== to);
  }

  #goes(address: string, issued: string, members: Set<string>): void {
    members.delete(address);
    this.departed.set(address, issued);
    this.admins = this.admins.filter((admin) => admin !== address);
    if (address === this.creator) this.#endCreator(null);
  }

  /** Links and bots are the creator's. */
  #endCreator(next: string | null): void {
    this.creator = next;
    this.links = [];
    this.bots = [];
    this.unsignedBots = false;
  }
}

/** How deep objects and lists are nested. */
function depthOf(value: unknown): number {
  let depth = 0;
  let level = [value];
  for (;;) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? [each] : []));
    if (level.length === 0) return depth;
    depth += 1;
    level = level.flatMap((each) => Object.values(each as object));
  }
}

/** The only form of a body, with the fields that every one has. @throws Error otherwise */
export function readBody(bytes: Bytes): EntryBody {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const body: unknown = JSON.parse(text);
  if (bytes.length > MOST_BYTES || depthOf(body) > 32 || JSON.stringify(body) !== text || !isRecord(body)) {
    throw new Error('the body has another form');
  }
  const { epoch, previous, issued, by, list, kind } = body;
  const isWhole =
    isSequence(epoch) &&
    (previous === null || isBase64url(previous, 32)) &&
    isTime(issued) &&
    isSequence(list) &&
    isKind(kind);
  if (!isWhole) throw new Error('a field of the body is missing or wrong');
  addressBytes(String(by));
  return body as unknown as EntryBody;
}

export function groupIdOf(create: Bytes): string {
  return base64url(sha256(concat(utf8('waxwing/group/v1'), create)).subarray(0, 16));
}

/** An entry that follows a place, signed by an account's device. */
export function signEntry(
  account: Account,
  after: { epoch: number; hash: string | null; issued?: string },
  kind: string,
  fields: object = {},
): Entry {
  const now = new Date().toISOString();
  const body = utf8(
    JSON.stringify({
      epoch: after.epoch + 1,
      previous: after.hash,
      issued: after.issued !== undefined && after.issued > now ? after.issued : now,
      by: account.address,
      list: account.list?.sequence,
      kind,
      ...fields,
    }),
  );
  const signature = sign(null, concat(utf8('waxwing/roster/v1'), sha256(body)), account.device.signingKey);
  return {
    body: base64url(body),
    deviceId: account.device.listed.deviceId,
    signature: base64url(signature),
  };
}

/** What a group's first entry or entries are, and its id. */
export function beginning(account: Account, name: string, setting: object = {}, nonce = randomBytes(16)) {
  const create = signEntry(account, { epoch: 0, hash: null }, 'create', { nonce: base64url(nonce), name });
  const bytes = fromBase64url(create.body);
  const { issued } = readBody(bytes);
  const place = { epoch: 1, hash: base64url(sha256(bytes)), issued };
  const entries =
    Object.keys(setting).length === 0 ? [create] : [create, signEntry(account, place, 'change', setting)];
  return { id: groupIdOf(bytes), entries, place };
}

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** What a password of a group comes to: what the relay is told, and the key that signs joins. */
export async function derivePassword(
  password: string,
  groupId: string,
): Promise<{ told: string; key: KeyObject; joinKey: string }> {
  const salt = concat(utf8('waxwing/join/v1'), fromBase64url(groupId));
  const options = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
  const bytes = await derive(password.normalize('NFKC'), salt, 64, options);
  const pkcs8 = concat(Buffer.from('302e020100300506032b657004220420', 'hex'), bytes.subarray(32));
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  return { told: base64url(bytes.subarray(0, 32)), key, joinKey: String(key.export({ format: 'jwk' }).x) };
}

/** The lists that entries name, each fetched once and proven by its own signature. */
export function listsFrom(account: Account, calls = account.session): ListOf {
  const known = new Map<string, DeviceList>();
  return async (address, sequence) => {
    const key = `${address} ${sequence}`;
    const before = known.get(key);
    if (before) return before;
    const lists = await account.historyOf(address, calls)(sequence - 1, sequence + 1);
    const list = lists.find((each) => each.sequence === sequence);
    if (!list) throw new Error('a list that the chain names is not to be had');
    await verifyDeviceList(address, list);
    known.set(key, list);
    return list;
  };
}

/** Reads the chain of a group from its beginning and folds it. @throws Error when it does not hold */
export async function readChain(account: Account, id: string, calls = account.session): Promise<Chain> {
  const chain = new Chain(id);
  const listOf = listsFrom(account, calls);
  for (let more = true; more; ) {
    const path = `/groups/${id}/roster?after=${chain.epoch}`;
    const page = await calls.expect<{ entries: Entry[]; more: boolean }>(200, 'GET', path);
    if (page.more && page.entries.length === 0) throw new Error('an empty page that is not the last');
    for (const entry of page.entries) await chain.take(entry, listOf);
    more = page.more;
  }
  return chain;
}

/** Whether the relay's view is what the chain says. @throws Error otherwise */
export function holdAgainst({ members, creator, roster, name }: Group, chain: Chain): void {
  if (!same(utf8([...chain.members].toSorted().join()), utf8(members.toSorted().join()))) {
    throw new Error('the relay shows other members than the chain');
  }
  if (creator !== chain.creator || name !== chain.name) throw new Error('the view is not the chain’s');
  if (roster.epoch !== chain.epoch || roster.hash !== chain.hash)
    throw new Error('the view is of another entry');
}

/** Asks to read a group's chain, with what would let one join. */
export function admission(account: Account, id: string, body: object = {}) {
  return account.session.send<Place & Problem>('POST', `/groups/${id}/admission`, body);
}

/** Posts an entry, whatever the answer. */
export function post(
  account: Account,
  id: string,
  entry: Entry,
  password?: string,
): Promise<Answer<Place & Problem>> {
  return account.session.send('POST', `/groups/${id}/roster`, {
    entry,
    ...(password !== undefined && { password }),
  });
}

/** Joins an open group, or one with a password or by a ticket. @throws Error when the relay does not take it */
export async function joinGroup(
  account: Account,
  id: string,
  { password, ticket }: { password?: string; ticket?: Ticket } = {},
): Promise<Group> {
  const derived = password === undefined ? null : await derivePassword(password, id);
  const asked = { ...(derived && { password: derived.told }), ...(ticket && { ticket }) };
  await account.session.expect<Place>(200, 'POST', `/groups/${id}/admission`, asked);
  const chain = await readChain(account, id);
  const proof = proofBytes(id, String(chain.hash), account.address);
  const fields = {
    ...(derived && { password: base64url(sign(null, proof, derived.key)) }),
    ...(ticket && { ticket }),
  };
  await append(account, id, signEntry(account, chain, 'join', fields));
  return account.session.expect<Group>(200, 'GET', `/groups/${id}`);
}

async function append(account: Account, id: string, entry: Entry, password?: string): Promise<Place> {
  const { status, body } = await post(account, id, entry, password);
  if (status !== 200) throw new Error(`POST /groups/${id}/roster: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Signs a `leave` or a `change` after the last entry. @throws Error when the relay does not take it */
export async function addTo(
  account: Account,
  id: string,
  kind: 'leave' | 'change',
  fields: object = {},
  password?: string,
): Promise<Place> {
  return append(account, id, signEntry(account, await readChain(account, id), kind, fields), password);
}

/** The same, whatever the answer: the entry follows the last one of a chain that another may read. */
export async function tryTo(
  account: Account,
  id: string,
  kind: 'leave' | 'change' | 'join',
  fields: object = {},
  reader = account,
): Promise<Answer<Place & Problem>> {
  return post(account, id, signEntry(account, await readChain(reader, id), kind, fields));
}
