/** The metrics on their own port, so that the API's port never serves them. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { OperatorFailure } from '../operator/failure.ts';
import { isForHost, ownHosts } from '../settings/hosts.ts';
import { isLoopback } from '../settings/public-url.ts';
import type { RelayMetrics } from './metrics.ts';

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` in Prometheus' text format, with those of the process: memory, event-loop delay, garbage
 * collection.
 * @throws OperatorFailure metrics_port
 */
export async function startMetricsServer(
  metrics: RelayMetrics,
  { host = '127.0.0.1', port }: { host?: string; port: number },
): Promise<MetricsServer> {
  collectDefaultMetrics({ register: metrics.registry });
  const server = createServer(async (request, response) => {
    // On other addresses the operator has opened the port to a network, where scrapers use names of their own.
    if (isLoopback(host) && !isForHost(request.rawHeaders, ownHosts({}, server.address() as AddressInfo))) {
      return response.writeHead(421).end('The metrics are at another name.\n');
    }
    if (request.url !== '/metrics') return response.writeHead(404).end('The metrics are at /metrics.\n');
    if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end();
    const text = await metrics.registry.metrics();
    response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
  });
  server.requestTimeout = 10_000;
  server.maxConnections = 64;
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new OperatorFailure('metrics_port', { host, port, reason });
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
