/**
 * The forms of values in bodies and lists, protocol §3.
 */
import { base64url } from './bytes.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value);
}

/** Canonical base64url of so many bytes. */
export function isBase64url(value: unknown, bytes: number): value is string {
  if (typeof value !== 'string') return false;
  const decoded = Buffer.from(value, 'base64url');
  return decoded.length === bytes && base64url(decoded) === value;
}

/** RFC 3339 in UTC with three decimals, a day that exists, not before 1970. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const milliseconds = Date.parse(value);
  return milliseconds >= 0 && new Date(milliseconds).toISOString() === value;
}

export function isWholeNumber(value: unknown, from: number, to = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to;
}

/** A number of a device list: a u32 that begins at 1. */
export function isSequence(value: unknown): value is number {
  return isWholeNumber(value, 1, 0xffffffff);
}

/** An id that a relay made. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,128}$/.test(value);
}
