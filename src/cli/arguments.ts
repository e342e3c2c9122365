/** Parsers for arguments of several commands. */

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Option } from 'commander';
import { parseAddress } from '../base/address.ts';
import { Failure } from '../base/failure.ts';
import { normaliseRelayUrl } from '../client/check.ts';
import { Handle } from '../protocol/schemas/directory.ts';
import { DisplayName } from '../protocol/schemas/me.ts';
import { type BlobPlace, readBlobPlace } from '../relay/blobs/place.ts';
import { OperatorFailure } from '../relay/operator/failure.ts';
import type { RelayLimits } from '../relay/settings/limits.ts';
import { parseLimits } from '../relay/settings/limits-file.ts';
import { argumentError } from './command-error.ts';
import { reasonOf } from './secrets.ts';

/**
 * A port from an argument: 0 to 65535, 0 for any free one.
 * @throws InvalidArgumentError
 */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw argumentError('port');
  return port;
}

/** The longest drain time of a stopping relay, in seconds. */
const MAX_DRAIN = 300;

/**
 * The drain time of a stopping relay, in seconds.
 * @throws InvalidArgumentError
 */
export function parseDrain(text: string): number {
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds > MAX_DRAIN) throw argumentError('drain');
  return seconds;
}

/**
 * The base URL of a relay for this computer's calls.
 * @throws InvalidArgumentError
 */
export function parseRelay(text: string): string {
  try {
    return normaliseRelayUrl(text);
  } catch (error) {
    throw error instanceof Failure ? argumentError('relay', { problem: error.message }) : error;
  }
}

/**
 * The public URL of a relay: http or https, a host, optionally a port.
 * @throws InvalidArgumentError
 */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.href !== `${url.origin}/`)
    throw argumentError('public_url');
  return url.origin;
}

/**
 * Adds a trusted proxy: an address, or a range as in 10.0.0.0/8.
 * @throws InvalidArgumentError
 */
export function addTrustedProxy(text: string, others: string[] = []): string[] {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const isRange = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most);
  if (version === 0 || !isRange || rest.length > 0) throw argumentError('proxy');
  return [...others, text];
}

/**
 * Adds an accepted Host header: a name or an address, optionally with a port.
 * @throws InvalidArgumentError
 */
export function addHost(text: string, others: string[] = []): string[] {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : null;
  // The URL drops a port of 80.
  if (!url || (url.host !== text.toLowerCase() && `${url.host}:80` !== text.toLowerCase()))
    throw argumentError('host');
  return [...others, text];
}

/**
 * The storage of a relay's files: a folder, or a bucket with its credentials in the environment.
 * @throws InvalidArgumentError
 */
export function parseBlobPlace(text: string): BlobPlace {
  try {
    return readBlobPlace(text, process.env);
  } catch (error) {
    throw error instanceof OperatorFailure ? argumentError('blobs', { problem: error.message }) : error;
  }
}

/**
 * The limits in a file.
 * @throws InvalidArgumentError
 */
export function readLimits(file: string): RelayLimits {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw argumentError('file_unreadable', { reason: reasonOf(error) });
  }
  try {
    return parseLimits(text);
  } catch (error) {
    throw error instanceof OperatorFailure ? argumentError('limits', { problem: error.message }) : error;
  }
}

/**
 * The name of a person or a relay: 1 to 80 characters on one line.
 * @throws InvalidArgumentError
 */
export function parseName(text: string): string {
  const name = DisplayName.safeParse(text);
  if (name.success) return name.data;
  throw argumentError('name');
}

/**
 * The number of entries in a list: 1 to 10000.
 * @throws InvalidArgumentError
 */
export function parseCount(text: string): number {
  const count = Number(text);
  const [least, most] = [1, 10_000];
  if (!/^\d+$/.test(text) || count < least || count > most) throw argumentError('count', { least, most });
  return count;
}

/**
 * The number of accounts that a member's code opens: 1 to 20.
 * @throws InvalidArgumentError
 */
export function parseUses(text: string): number {
  const [least, most] = [1, 20];
  const uses = Number(text);
  if (!/^\d+$/.test(text) || uses < least || uses > most) throw argumentError('count', { least, most });
  return uses;
}

export type AccountName = { address: string } | { handle: string };
export type Target = { handle: string } | { group: string };

/**
 * An account by its handle or address.
 * @throws InvalidArgumentError
 */
export function parseAccount(text: string): AccountName {
  if (text.startsWith('@')) return { handle: parseHandle(text) };
  try {
    return { address: parseAddress(text) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw argumentError('account', { problem: error.message });
  }
}

/**
 * A handle, or the id of a group.
 * @throws InvalidArgumentError
 */
export function parseTarget(text: string): Target {
  if (text.startsWith('@')) return { handle: parseHandle(text) };
  if (!/^[A-Za-z0-9_-]{22}$/.test(text)) throw argumentError('target');
  return { group: text };
}

/**
 * A handle, with or without the @ before it.
 * @throws InvalidArgumentError
 */
export function parseHandle(text: string): string {
  const handle = Handle.safeParse(text.replace(/^@/, ''));
  if (!handle.success) throw argumentError('handle');
  return handle.data;
}

/**
 * An address in wire form.
 * @throws InvalidArgumentError
 */
export function parseWireAddress(text: string): string {
  try {
    return parseAddress(text);
  } catch (error) {
    throw error instanceof Failure ? argumentError('address', { problem: error.message }) : error;
  }
}

const SPANS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Seconds of a span such as 30s or 4w, or of 0; null for an invalid text. */
export function readSpan(text: string): number | null {
  if (text === '0') return 0;
  const [, number, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * (SPANS[unit] ?? 1);
}

/** An end: a day or time in the future, or a number of days from now, as in 90d. In wire form; null if invalid. */
export function readEnd(text: string): string | null {
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1];
  const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text);
  const time = days === undefined ? (form ? Date.parse(text) : Number.NaN) : Date.parse(inDays(Number(days)));
  return Number.isNaN(time) || time <= Date.now() ? null : new Date(time).toISOString();
}

/**
 * The same from an argument.
 * @throws InvalidArgumentError
 */
export function parseEnd(text: string): string {
  const end = readEnd(text);
  if (end === null) throw argumentError('end');
  return end;
}

/** The option for the end of an invitation code. Help shows the default in days, not as a date. */
export function codeEndOption(): Option {
  return new Option('--expires <time>', 'a day, as in 2027-01-31, or a number of days, as in 30d')
    .argParser(parseEnd)
    .default(inDays(7), 'in 7 days');
}

/** So many days from now, in wire form. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 3_600_000).toISOString();
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * Resolves when the process should stop: Ctrl+C, or a supervisor's SIGTERM.
 * @returns the signal
 */
export function stopRequested(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  return promise;
}

/** Adds a variable to an option. An empty one counts as unset: files of variables often have such lines. */
export function withVariable(option: Option, name: string, environment = process.env): Option {
  return environment[name] === '' ? option : option.env(name);
}
