/**
 * Every refusal as problem+json: those of our own, Fastify's, and those of Node's HTTP parser.
 */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode, ProblemError } from '../../protocol/problems.ts';
import { makeId } from '../secrets.ts';
import { StoreUnavailable, TooManyChanges } from '../store/records.ts';

/** Seconds after which a caller may try again when the relay could not write. */
const UNAVAILABLE_RETRY = 1;

/** Fastify's and Node's error codes that are the caller's doing, as problems of ours. */
const FOREIGN: Readonly<Record<string, [ProblemCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is larger than this relay takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The body must be application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_request', 'The body is not JSON.'],
  FST_ERR_BAD_URL: ['invalid_request', 'The path is not well formed.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is nothing at this path.'],
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers are larger than this relay reads.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};

/** Any error as the problem that its caller is told. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreUnavailable) {
    return new ProblemError('unavailable', 'The relay cannot store anything at the moment. Try again.', {
      retryAfter: UNAVAILABLE_RETRY,
    });
  }
  if (error instanceof TooManyChanges) {
    const sentence =
      'You have changed too much in one day. Change more later; what ends something is always taken.';
    return new ProblemError('rate_limited', sentence, { retryAfter: Math.ceil(error.wait / 1000) });
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const known = FOREIGN[code];
  if (known) return new ProblemError(...known);
  if (statusCode === 415)
    return new ProblemError('unsupported_media_type', 'The body must be application/json.');
  if (statusCode >= 400 && statusCode < 500) {
    return new ProblemError('invalid_request', 'The request is not well formed.');
  }
  return new ProblemError('internal', 'The relay failed. The request may be sent again.');
}

export function sendProblem(reply: FastifyReply, problem: ProblemError): FastifyReply {
  reply.request.problem = problem.code;
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter));
  if (problem.code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  return reply
    .code(problem.status)
    .header('content-type', PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(problem.toBody(reply.request.id)));
}

/** Answers errors of handlers and of Fastify, and paths that do not exist. To be called before routes are added. */
export function handleProblems(app: FastifyInstance): void {
  const routes: { method: string; path: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    const path = new RegExp(`^${url.replace(/:\w+/g, '[^/]*')}$`);
    for (const one of [method].flat()) routes.push({ method: one, path });
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    // A fault of ours is logged in full; a refusal is the caller's affair. Neither logs a body or a header.
    if (problem.status >= 500) request.log.error({ err: error }, 'request failed');
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?');
    const allowed = routes.filter((route) => route.path.test(path)).map((route) => route.method);
    if (allowed.length === 0) {
      return sendProblem(reply, new ProblemError('not_found', 'There is nothing at this path.'));
    }
    reply.header('allow', allowed.join(', '));
    const detail = `This path takes ${allowed.join(', ')}, not ${request.method}.`;
    return sendProblem(reply, new ProblemError('method_not_allowed', detail));
  });
}

/** Answers what Node's parser refuses before there is a request: written to the socket, which is then closed. */
export function answerParserError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const [code, detail] = FOREIGN[error.code ?? ''] ?? ['invalid_request', 'This is not well-formed HTTP.'];
  const problem = new ProblemError(code, detail);
  const requestId = makeId();
  const body = JSON.stringify(problem.toBody(requestId));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${PROBLEMS[code].title}`,
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
