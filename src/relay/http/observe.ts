/**
 * One log line and one count per request, by the template of its route. No part of the caller's path, headers or
 * body is recorded.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProblemCode } from '../../protocol/problems.ts';
import type { RelayMetrics } from '../metrics/metrics.ts';
import { networkOf, wideNetworkOf } from './network.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The problem in the answer. */
    problem: ProblemCode | null;
  }
}

/** The label for paths and methods that match no route. */
const NO_ROUTE = { route: 'none', method: 'none' };

/** @param isLogged false if there is no log, which would ignore the lines */
export function observeRequests(app: FastifyInstance, metrics: RelayMetrics, isLogged: boolean): void {
  app.decorateRequest('problem', null);
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions;
    const place = url === undefined ? NO_ROUTE : { route: url, method: request.method };
    metrics.requests.inc({ ...place, status: `${Math.floor(reply.statusCode / 100)}xx` });
    metrics.durations.observe(place, reply.elapsedTime / 1000);
    if (request.problem) metrics.problems.inc({ code: request.problem });
    if (isLogged) logRequest(request, reply, place);
    done();
  });
  app.server.on('clientError', () => metrics.malformed.inc());
}

function logRequest(request: FastifyRequest, reply: FastifyReply, place: typeof NO_ROUTE): void {
  const { credential } = request;
  request.log.info(
    {
      ...place,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      network: truncatedNetwork(request.ip),
      ...(request.problem && { problem: request.problem }),
      ...(credential && { credentialType: credential.type, credentialId: credential.id }),
    },
    'request',
  );
}

/** The part of a network address that may be logged: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function truncatedNetwork(address: string): string {
  return wideNetworkOf(networkOf(address));
}
