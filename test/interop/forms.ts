import { fromBase64url, fromHex, isBase64url } from './bytes.ts';
import { must } from './refusal.ts';

/** The forms of section 3, each as a predicate of one value. Values are not changed. */

export type Fields = Readonly<Record<string, unknown>>;

const ADDRESS = /^0x[0-9a-f]{40}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const KIND = /^[a-z0-9._]{1,32}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a text must not have
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const RELAY_ID = /^[A-Za-z0-9_-]{1,128}$/;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && ADDRESS.test(value);

/** RFC 3339 in UTC with three decimals, of an existing instant since 1970. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  const ms = Date.parse(value);
  return ms >= 0 && new Date(ms).toISOString() === value;
}

/** Milliseconds since 1970 of a time whose form was checked. */
export const msOf = (time: string): number => Date.parse(time);

export const timeOf = (ms: number): string => new Date(ms).toISOString();

export const isKind = (value: unknown): value is string => typeof value === 'string' && KIND.test(value);

export const isRelayId = (value: unknown): value is string =>
  typeof value === 'string' && RELAY_ID.test(value);

export function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}

/** u32 that counts from 1: numbers of lists, of statements, of entries. */
export const isNumber = (value: unknown): value is number => isWhole(value, 1, 0xffff_ffff);

/** `t(n)`. */
export function isText(value: unknown, most: number): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > most) return false;
  return value.isWellFormed() && !CONTROL.test(value) && Buffer.byteLength(value) <= most;
}

/** `c(n)`: counted in code points. */
export const isCharacters = (value: unknown, most: number): value is string =>
  isText(value, 4 * most) && [...value].length <= most;

/** `name`. */
export const isName = (value: unknown): value is string => isCharacters(value, 80) && !/[\n\t]/.test(value);

/** A list of at most `most` elements that all satisfy `is`. */
export function isListOf<T>(
  value: unknown,
  least: number,
  most: number,
  is: (element: unknown) => element is T,
): value is T[] {
  return Array.isArray(value) && value.length >= least && value.length <= most && value.every(is);
}

/** Reports whether all texts are different. */
export const areDistinct = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

/** `{sequence, hash}` of a device list. */
export interface ListName {
  sequence: number;
  hash: string;
}

export const isListName = (value: unknown): value is ListName =>
  isFields(value) && isNumber(value.sequence) && isBase64url(value.hash, 32);

/** `{epoch, hash}` of an entry of a group's chain. */
export interface EntryName {
  epoch: number;
  hash: string;
}

export const isEntryName = (value: unknown): value is EntryName =>
  isFields(value) && isNumber(value.epoch) && isBase64url(value.hash, 32);

/** The origin of a relay in the URL standard's canonical form: https, or http on this computer. */
export function isOrigin(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 267 || !URL.canParse(value)) return false;
  const { origin, protocol, hostname } = new URL(value);
  if (origin !== value) return false;
  if (protocol === 'https:') return true;
  return (
    protocol === 'http:' &&
    (hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname))
  );
}

/** The 20 bytes of a wire address. */
export function addressBytes(address: string): Uint8Array {
  must(isAddress(address), 'malformed', 'no wire address');
  return fromHex(address.slice(2));
}

/** The 16 bytes of an id in base64url. */
export const idBytes = (id: string): Uint8Array => fromBase64url(id, 16);
