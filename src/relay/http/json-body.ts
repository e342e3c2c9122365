/**
 * Request bodies: JSON in well-formed UTF-8, and nothing else.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../../protocol/problems.ts';
import { findJsonLimitProblem } from './json-limits.ts';

/** Replaces Fastify's parsers, which take text/plain and repair malformed UTF-8. */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(new ProblemError('invalid_request', 'The body is not well-formed UTF-8.'));
    const text = body.toString('utf8');
    const problem = findJsonLimitProblem(text);
    if (problem !== null) return done(new ProblemError('invalid_request', problem));
    return parse(request, text, done);
  });
}
