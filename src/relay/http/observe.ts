/**
 * One line in the log and one count for each request: by the template of its route, so that nothing of a caller's
 * path, headers or body comes along.
 */
import type { FastifyInstance } from 'fastify';
import type { ProblemCode } from '../../protocol/problems.ts';
import type { RelayMetrics } from '../metrics/metrics.ts';
import { networkOf, wideNetworkOf } from './network.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The problem that answers it. */
    problem: ProblemCode | null;
  }
}

/** Paths and methods of a caller that fit no route. */
const NO_ROUTE = { route: 'none', method: 'none' };

export function observeRequests(app: FastifyInstance, metrics: RelayMetrics): void {
  app.decorateRequest('problem', null);
  app.addHook('onResponse', async (request, reply) => {
    const { url } = request.routeOptions;
    const place = url === undefined ? NO_ROUTE : { route: url, method: request.method };
    const milliseconds = reply.elapsedTime;
    metrics.requests.inc({ ...place, status: `${Math.floor(reply.statusCode / 100)}xx` });
    metrics.durations.observe(place, milliseconds / 1000);
    if (request.problem) metrics.problems.inc({ code: request.problem });
    const { credential } = request;
    request.log.info(
      {
        ...place,
        status: reply.statusCode,
        ms: Math.round(milliseconds * 10) / 10,
        network: truncatedNetwork(request.ip),
        ...(request.problem && { problem: request.problem }),
        ...(credential && { credentialType: credential.type, credentialId: credential.id }),
      },
      'request',
    );
  });
  app.server.on('clientError', () => metrics.malformed.inc());
}

/** Of a network address what may be written down: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function truncatedNetwork(address: string): string {
  return wideNetworkOf(networkOf(address));
}
