/** Every refusal as problem+json: our own, Fastify's, and those of Node's HTTP parser. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { PROBLEM_MEDIA_TYPE, PROBLEMS } from '../../protocol/problems.ts';
import { BytesUnavailable } from '../blobs/bytes.ts';
import { logWarning } from '../operator/warnings.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { makeId } from '../secrets.ts';
import { AccountGone, StoreUnavailable, TooManyChanges } from '../store/records.ts';
import type { FaultLog } from './fault-log.ts';
import { readOn } from './read-on.ts';

/** Seconds after which a caller may try again when the relay could not write. */
const UNAVAILABLE_RETRY = 1;

/** Fastify's and Node's error codes for faults of the caller, as our problems. */
const FOREIGN: Readonly<Record<string, () => ProblemError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ProblemError('too_large', 'body'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new ProblemError('invalid_request', 'body_length'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new ProblemError('invalid_request', 'body_not_json'),
  FST_ERR_BAD_URL: () => new ProblemError('invalid_request', 'path_malformed'),
  FST_ERR_MAX_PARAM_LENGTH: nothingAtThisPath,
  HPE_HEADER_OVERFLOW: () => new ProblemError('headers_too_large', 'headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new ProblemError('request_timeout', 'request_timeout'),
};

function unsupportedMediaType(): ProblemError {
  return new ProblemError('unsupported_media_type', 'unsupported_media_type');
}

function nothingAtThisPath(): ProblemError {
  return new ProblemError('not_found', 'path');
}

/** Converts any error to the problem that its caller receives. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailable) {
    return new ProblemError('unavailable', 'store', {}, { retryAfter: UNAVAILABLE_RETRY });
  }
  if (error instanceof BytesUnavailable) {
    return new ProblemError('unavailable', 'blobs', {}, { retryAfter: UNAVAILABLE_RETRY });
  }
  // Its credentials were deleted with it, after the look-up.
  if (error instanceof AccountGone) return new ProblemError('unauthorized', 'credential');
  if (error instanceof TooManyChanges) {
    const retryAfter = Math.ceil(error.wait / 1000);
    return new ProblemError('rate_limited', 'changes', {}, { retryAfter });
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const known = FOREIGN[code];
  if (known) return known();
  if (statusCode === 415) return unsupportedMediaType();
  if (statusCode >= 400 && statusCode < 500) return new ProblemError('invalid_request', 'malformed');
  return new ProblemError('internal', 'internal');
}

export function sendProblem(reply: FastifyReply, problem: ProblemError): FastifyReply {
  reply.request.problem = problem.code;
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter));
  if (problem.size !== undefined) reply.header('content-range', `bytes */${problem.size}`);
  // More of the body may follow, or none; the relay waits for neither. After any other refusal it reads the rest of
  // the body. The connection then stays open, though Fastify would close it.
  if (problem.code === 'request_timeout') reply.header('connection', 'close');
  else {
    reply.removeHeader('connection');
    readOn(reply.request.raw);
  }
  if (problem.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  return reply
    .code(problem.status)
    .header('content-type', PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problem.toBody(reply.request.id)));
}

/** Answers errors of handlers and of Fastify, and unknown paths. Must be called before routes are added. */
export function handleProblems(app: FastifyInstance, faults: FaultLog): void {
  const routes: { method: string; path: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    const path = new RegExp(`^${url.replace(/:\w+/g, '[^/]*')}$`);
    for (const one of [method].flat()) routes.push({ method: one, path });
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    // A fault of ours is logged in full. A refusal concerns the caller only, also one with 503 or 507: the line of the
    // request has its code. Neither logs a body or a header.
    if (problem !== error && problem.status >= 500 && faults.admits(error))
      logWarning(request.log, 'error', 'request_failed', { err: error });
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?');
    const allowed = routes.filter((route) => route.path.test(path)).map((route) => route.method);
    if (allowed.length === 0) {
      return sendProblem(reply, nothingAtThisPath());
    }
    reply.header('allow', allowed.join(', '));
    const { method } = request;
    return sendProblem(
      reply,
      new ProblemError('method_not_allowed', 'method_not_allowed', { allowed, method }),
    );
  });
}

/** Answers requests that Node's parser refuses: writes to the socket, then closes it. */
export function answerParserError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const problem = FOREIGN[error.code ?? '']?.() ?? new ProblemError('invalid_request', 'http_malformed');
  const requestId = makeId();
  const body = JSON.stringify(problem.toBody(requestId));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${PROBLEMS[problem.code].title}`,
      `Content-Type: ${PROBLEM_MEDIA_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
