/** Request bodies: only JSON in well-formed UTF-8, no larger than the route allows. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyLimit, SMALL_BODY } from '../../protocol/limits.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { BodyRoom, Hold } from './body-room.ts';
import { onGone } from './gone.ts';
import { walkJson } from './json-limits.ts';
import { parseInParts } from './json-parts.ts';
import type { Scheduler } from './scheduler.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The largest body of this route, {@link SMALL_BODY} by default. */
    body?: BodyLimit;
  }
  interface FastifyInstance {
    bodyRoom: BodyRoom;
  }
  interface FastifyRequest {
    /** The room of its body and of its answer, opened by {@link roomOf}. */
    room: Hold | null;
  }
}

/** The largest body that is parsed without the scheduler, in bytes: about a millisecond of work. */
const READ_AT_ONCE = 64 * 1024;
/** Bytes of a body that are walked or parsed at once: about two milliseconds of work. */
const SLICE_BYTES = 512 * 1024;
/** Bytes of a body without a reservation. */
const FIRST_ROOM = 4 * 1024;
const EMPTY: Buffer = Buffer.alloc(0);
/** The only content coding of a body: none. */
const IDENTITY = 'identity';

/**
 * Replaces Fastify's parsers, which accept text/plain and repair malformed UTF-8.
 * @param timeout the longest time for a body, in milliseconds
 */
export function acceptJson(
  app: FastifyInstance,
  scheduler: Scheduler,
  room: BodyRoom,
  timeout: number,
): void {
  app.decorate('bodyRoom', room);
  app.decorateRequest('room', null);
  app.addHook('preParsing', (request, reply, payload, done) => {
    // An open poll has no body, and thousands of them wait.
    if (request.method !== 'GET') roomOf(request, reply);
    if (!isEncoded(request)) return done(null, payload);
    // https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3
    reply.header('accept-encoding', IDENTITY);
    done(new ProblemError('unsupported_media_type', 'content_encoding'));
  });
  app.removeAllContentTypeParsers();
  // With a callback: the promise of each call would cost more than the parsing of a small body.
  app.addContentTypeParser(
    'application/json',
    (request: FastifyRequest, payload: Readable, done: (error: Error | null, body?: unknown) => void) => {
      if (request.is404) return done(null); // not read: the path is unknown
      if (request.routeOptions.config.octets) {
        return done(new ProblemError('unsupported_media_type', 'octets'));
      }
      const most = request.routeOptions.config.body ?? SMALL_BODY;
      const length = Number(request.headers['content-length']);
      if (length > most.bytes) return done(tooLarge(most));
      const reserveBytes = (bytes: number) => request.room?.reserve(bytes);
      const parse = (body: Buffer) => {
        if (body.length > READ_AT_ONCE) {
          readInSlices(body, most, scheduler).then((value) => done(null, value), done);
        } else {
          const read = readAtOnce(body, most);
          if ('error' in read) done(read.error);
          else done(null, read.value);
        }
      };
      const collectAll = () =>
        collect(payload, { most, timeout, reserveBytes }, (error, body) => {
          if (error !== null) done(error);
          else parse(body);
        });
      if (!(length > 0 && length <= FIRST_ROOM)) return collectAll();
      // Most small bodies arrive in the packet of their head: they are there in the next tick, and need no time limit.
      process.nextTick(() => {
        const body = payload.readableLength === length ? (payload.read() as Buffer | null) : null;
        if (body === null) collectAll();
        else parse(body);
      });
    },
  );
}

/** Reports whether a body has a content coding such as gzip: it would be read as malformed JSON, or stored as other bytes. */
function isEncoded({ headers, is404 }: FastifyRequest): boolean {
  const coding = headers['content-encoding'];
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
  return coding !== undefined && coding.trim().toLowerCase() !== IDENTITY && hasBody && !is404;
}

/** The value of a small body, undefined without one. An error is returned: the caller's own must not be caught here. */
function readAtOnce(body: Buffer, most: BodyLimit): { value: unknown } | { error: Error } {
  if (body.length === 0) return { value: undefined };
  try {
    requireUtf8(body);
    walkJson(body, most.values).next();
    return { value: parseText(body.toString('utf8')) };
  } catch (error) {
    return { error: error as Error };
  }
}

async function readInSlices(body: Buffer, most: BodyLimit, scheduler: Scheduler): Promise<unknown> {
  const pause = () => scheduler.next();
  await pause();
  requireUtf8(body);
  const walk = walkJson(body, most.values, SLICE_BYTES);
  let step = walk.next();
  for (; !step.done; step = walk.next()) await pause();
  await pause();
  const value = await parseInParts(body, step.value, parseText, pause);
  await pause();
  return value;
}

function requireUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw new ProblemError('invalid_request', 'body_not_utf8');
}

/** Parses what {@link walkJson} has accepted: it refuses names with a meaning to JavaScript. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemError('invalid_request', 'body_not_json');
  }
}

/**
 * The room of a call, for its body and its answer: they stay in memory until the answer is sent or the caller disconnects. Null for
 * a caller who is not signed in, whose body is small.
 */
export function roomOf(request: FastifyRequest, reply: FastifyReply): Hold | null {
  const account = request.credential?.account;
  if (account === undefined || request.room !== null) return request.room;
  const room = request.server.bodyRoom.open(account, () => request.raw.destroy());
  onGone(request, reply, () => room.release());
  request.room = room;
  return room;
}

function tooSlow(): ProblemError {
  return new ProblemError('request_timeout', 'request_timeout');
}

/** For a disconnected caller, who gets no answer: a refusal in the metrics and the log, not a fault of the relay. */
function cutOff(): ProblemError {
  return new ProblemError('invalid_request', 'body_length');
}

function tooLarge({ bytes }: BodyLimit): ProblemError {
  return new ProblemError('too_large', 'body_of_call', { bytes });
}

interface Collecting {
  most: BodyLimit;
  /** The longest time, in milliseconds. */
  timeout: number;
  /** Called for the bytes before they are reserved. */
  reserveBytes(bytes: number): void;
}

/**
 * Reads a body into one buffer. A small one is usually a single chunk, and is that chunk. More chunks are copied as they arrive, so
 * that a body in chunks of one byte costs only its bytes.
 * @param done called once, with the body, or with ProblemError too_large as soon as there is more, request_timeout,
 *   invalid_request if the caller disconnects, or an error of `reserveBytes`. The rest of the body is then discarded.
 */
function collect(
  payload: Readable,
  { most, timeout, reserveBytes }: Collecting,
  done: (error: Error | null, body: Buffer) => void,
): void {
  let buffer = EMPTY;
  let length = 0;
  let room = Math.min(FIRST_ROOM, most.bytes);

  function addChunk(chunk: Buffer): void {
    const whole = length + chunk.length;
    if (whole > most.bytes) {
      end(tooLarge(most));
      return;
    }
    if (length === 0 && whole <= room) {
      buffer = chunk;
      length = whole;
      return;
    }
    if (whole > buffer.length) {
      const size = whole <= room ? room : Math.min(Math.max(whole, 2 * room), most.bytes);
      try {
        if (size > room) reserveBytes(size - room);
      } catch (error) {
        end(error as Error);
        return;
      }
      room = size;
      const larger = Buffer.allocUnsafe(size);
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
    chunk.copy(buffer, length);
    length = whole;
  }

  let isOver = false;
  function end(error: Error | null): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    payload.removeListener('data', addChunk);
    done(error, buffer.subarray(0, length));
  }

  const timer = setTimeout(() => end(tooSlow()), timeout);
  payload.on('data', addChunk);
  payload.once('end', () => end(null));
  payload.once('error', () => end(cutOff()));
  // Disconnected before, as while the credential was looked up: no event follows.
  if (payload.errored) end(cutOff());
}
