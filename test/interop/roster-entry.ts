import {
  type Bytes,
  bytesText,
  concat,
  fromBase64url,
  isBase64url,
  sha256,
  textBytes,
  toBase64url,
} from './bytes.ts';
import {
  areDistinct,
  type Fields,
  idBytes,
  isAddress,
  isCharacters,
  isFields,
  isKind,
  isListOf,
  isName,
  isNumber,
  isTime,
  isWhole,
  timeOf,
} from './forms.ts';
import { parseJson, SIGNED_DEPTH } from './json.ts';
import { must, Refusal } from './refusal.ts';
import { isTicket, type Signer, TICKET_FIELDS, type Ticket } from './ticket.ts';

/** One entry of a group's chain: its forms and its signature (section 11, 'Rosters'). */

/** Its form on the wire. */
export interface Entry {
  body: string;
  deviceId: string;
  signature: string;
}

export interface Link {
  key: string;
  expires: string;
}

export interface JoinFields {
  password?: string;
  link?: { key: string; signature: string };
  ticket?: Ticket;
}

export interface ChangeFields {
  remove?: string[];
  uninvite?: string[];
  name?: string;
  description?: string;
  join?: 'open' | 'password' | 'invite';
  joinKey?: string;
  admins?: string[];
  bots?: { key: string; name: string }[];
  links?: Link[];
  timer?: number;
  unsignedBots?: boolean;
  creator?: string;
}

/** Fields of every body. */
export interface BodyHead {
  epoch: number;
  previous: string | null;
  issued: string;
  by: string;
  list: number;
  kind: string;
}

export type KnownBody =
  | { kind: 'create'; nonce: string; name: string }
  | ({ kind: 'join' } & JoinFields)
  | { kind: 'leave' }
  | ({ kind: 'change' } & ChangeFields);

const BODY_MOST = 16_384;
const HEAD_FIELDS = ['epoch', 'previous', 'issued', 'by', 'list', 'kind'];

/** Reports whether a value has the form of an entry, with any bytes as its body. */
export function isEntry(value: unknown): value is Entry {
  if (!isFields(value)) return false;
  const { body, deviceId, signature } = value;
  if (typeof body !== 'string' || body.length > Math.ceil((BODY_MOST * 4) / 3)) return false;
  const bytes = Buffer.from(body, 'base64url');
  return (
    bytes.length <= BODY_MOST &&
    bytes.toString('base64url') === body &&
    isBase64url(deviceId, 16) &&
    isBase64url(signature, 64)
  );
}

/**
 * The fields of a body in canonical form, including those that each body has. Otherwise refused as
 * `malformed`.
 */
export function readBody(bytes: Uint8Array): BodyHead & Fields {
  must(bytes.length <= BODY_MOST, 'malformed', 'too long');
  let text: string;
  try {
    text = bytesText(bytes);
  } catch {
    must(false, 'malformed', 'not UTF-8');
  }
  const body = parseJson(text, SIGNED_DEPTH);
  must(isFields(body) && JSON.stringify(body) === text, 'malformed', 'not in the one form');
  const { epoch, previous, issued, by, list, kind } = body;
  const isRight =
    isNumber(epoch) &&
    (previous === null || isBase64url(previous, 32)) &&
    isTime(issued) &&
    isAddress(by) &&
    isNumber(list) &&
    isKind(kind);
  must(isRight, 'malformed', 'a field of every body');
  return body as unknown as BodyHead & Fields;
}

const only = (fields: Fields, ...names: readonly string[]) =>
  Object.keys(fields).every((name) => names.includes(name));
const isDistinctListOf = (value: unknown, least: number, most: number, is: (of: unknown) => of is string) =>
  isListOf(value, least, most, is) && areDistinct(value);

/** Objects with a `key` each, without duplicates. */
function areKeyed(value: unknown, most: number, is: (of: Fields) => boolean): boolean {
  const isOne = (of: unknown): of is { key: string } => isFields(of) && isBase64url(of.key, 32) && is(of);
  return isListOf(value, 0, most, isOne) && areDistinct(value.map(({ key }) => key));
}

type Check = (value: unknown) => boolean;
const isAnAddressList: Check = (value) => isDistinctListOf(value, 1, BODY_MOST, isAddress);

const FIELDS: Record<KnownBody['kind'], Record<string, Check>> = {
  create: { nonce: (value) => isBase64url(value, 16), name: isName },
  join: {
    password: (value) => isBase64url(value, 64),
    link: (value) => isFields(value) && isBase64url(value.key, 32) && isBase64url(value.signature, 64),
    ticket: isTicket,
  },
  leave: {},
  change: {
    remove: isAnAddressList,
    uninvite: isAnAddressList,
    name: isName,
    description: (value) => value === '' || isCharacters(value, 1000),
    join: (value) => value === 'open' || value === 'password' || value === 'invite',
    joinKey: (value) => isBase64url(value, 32),
    admins: (value) => isDistinctListOf(value, 0, 8, isAddress),
    bots: (value) => areKeyed(value, 32, ({ name }) => isName(name)),
    links: (value) => areKeyed(value, 8, ({ expires }) => isTime(expires)),
    timer: (value) => value === 0 || isWhole(value, 30, 31_536_000),
    unsignedBots: (value) => typeof value === 'boolean',
    creator: isAddress,
  },
};

/** Allowed fields of nested objects. */
const INSIDE: Record<string, string[]> = {
  link: ['key', 'signature'],
  ticket: TICKET_FIELDS,
  bots: ['key', 'name'],
  links: ['key', 'expires'],
};

/** A later version wrote the entry: report 'update', and seal nothing for the group. */
export class NewerEntry extends Refusal {
  constructor() {
    super('unknown_kind', 'a later version wrote this entry');
  }
}

/**
 * The fields of the body's kind. An unknown kind or field, also in a nested object, is reported before a
 * wrong value.
 */
export function readKind(body: BodyHead & Fields): KnownBody {
  if (!Object.hasOwn(FIELDS, body.kind)) throw new NewerEntry();
  const kind = body.kind as KnownBody['kind'];
  const checks = FIELDS[kind];
  if (!only(body, ...HEAD_FIELDS, ...Object.keys(checks))) throw new NewerEntry();
  for (const [name, names] of Object.entries(INSIDE)) {
    const inside = [body[name]].flat().filter(isFields);
    if (inside.some((fields) => !only(fields, ...names))) throw new NewerEntry();
  }
  for (const [name, is] of Object.entries(checks)) {
    const isAbsent = !Object.hasOwn(body, name);
    must(isAbsent ? kind !== 'create' : is(body[name]), 'malformed', name);
  }
  if (kind === 'join')
    must(Object.keys(checks).filter((name) => name in body).length <= 1, 'malformed', 'two proofs');
  return body as unknown as KnownBody;
}

export const entryHash = (body: Uint8Array): string => toBase64url(sha256(body));

/** The group that a `create` founds. */
export const groupIdOf = (body: Uint8Array): string =>
  toBase64url(sha256(concat(textBytes('waxwing/group/v1'), body)).subarray(0, 16));

/** The bytes signed by the device of `by`. */
export const entryBytes = (groupId: string, body: Uint8Array): Bytes =>
  concat(textBytes('waxwing/roster/v1'), idBytes(groupId), sha256(body));

export const bodyOf = (entry: Entry): Bytes => fromBase64url(entry.body);

/**
 * Signs the entry after `last` (null for the first), at `issued` in milliseconds.
 * @param groupId null for the group that this entry founds
 */
export function signEntry(
  signer: Signer,
  groupId: string | null,
  last: { epoch: number; hash: string } | null,
  issued: number,
  fields: KnownBody,
): Entry {
  const { kind, ...rest } = fields;
  const head: BodyHead = {
    epoch: (last?.epoch ?? 0) + 1,
    previous: last?.hash ?? null,
    issued: timeOf(issued),
    by: signer.address,
    list: signer.list,
    kind,
  };
  const body = textBytes(JSON.stringify({ ...head, ...rest }));
  return {
    body: toBase64url(body),
    deviceId: signer.device.id,
    signature: signer.device.sign(entryBytes(groupId ?? groupIdOf(body), body)),
  };
}
