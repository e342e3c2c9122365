/** The HTTP server with the parts common to all routes: strict bodies, problems, time-outs, headers. */
import type { AddressInfo } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { RelayMetrics } from '../metrics/metrics.ts';
import { logWarning } from '../operator/warnings.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { makeId } from '../secrets.ts';
import { isForHost, ownHosts } from '../settings/hosts.ts';
import type { RelayLimits } from '../settings/limits.ts';
import type { RelayOptions } from '../settings/options.ts';
import { steadyClock } from '../steady-clock.ts';
import { BodyRoom } from './body-room.ts';
import { limitConnections } from './connections.ts';
import type { Drain } from './drain.ts';
import { FaultLog } from './fault-log.ts';
import { acceptJson } from './json-body.ts';
import { observeRequests } from './observe.ts';
import { acceptOctets } from './octets.ts';
import { answerParserError, handleProblems, sendProblem, toProblem } from './problems.ts';
import type { Scheduler } from './scheduler.ts';

/** The interval at which Node looks for slow requests, in milliseconds. */
const TIMEOUT_CHECK = 1_000;
/** Requires TLS of browsers for a year. */
const STRICT_TRANSPORT = 'max-age=31536000';
const KEEP_ALIVE = 65_000; // longer than the 60 s of common proxies
/** Requests on one connection, after which a client opens another. */
const MAX_REQUESTS = 100_000;
/** Clients on this computer, and those behind a proxy on it, share one address. */
const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The time in the format of HTTP, updated each second. @param clock milliseconds since 1970 */
function httpDate(clock: () => number): () => string {
  let second = 0;
  let text = '';
  return () => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}

export function createServer(
  options: RelayOptions,
  limits: RelayLimits,
  metrics: RelayMetrics,
  scheduler: Scheduler,
  drain: Drain,
): FastifyInstance {
  const boot = makeId().slice(0, 8);
  let requests = 0;
  const date = httpDate(options.clock ?? Date.now);
  const isPublicTls = options.publicUrl?.startsWith('https:') ?? false;
  const setCommonHeaders = (reply: FastifyReply) => {
    reply.header('x-content-type-options', 'nosniff');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    reply.header('x-request-id', reply.request.id);
    // By the relay's own clock, which clients compare with theirs.
    reply.header('date', date());
    if (isPublicTls) reply.header('strict-transport-security', STRICT_TRANSPORT);
    return reply;
  };
  const logger: FastifyBaseLogger | undefined = options.logger;
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => `${boot}-${(++requests).toString(36)}`,
    // Fastify's defaults are 0, which allows a request to last forever. Answers stay unlimited: an open poll must
    // not be cut off. Parts of blobs may last longest; other bodies have their own limit (json-body.ts).
    requestTimeout: Math.max(limits.requestTimeout, limits.blobPartTimeout),
    // A request without a Host gets a problem of ours, like every other refusal.
    http: {
      requireHostHeader: false,
      headersTimeout: limits.headersTimeout,
      connectionsCheckingInterval: TIMEOUT_CHECK,
    },
    keepAliveTimeout: KEEP_ALIVE,
    connectionTimeout: limits.stalledTimeout,
    maxRequestsPerSocket: MAX_REQUESTS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: options.trustedProxies ?? false,
    clientErrorHandler: answerParserError,
    // A path that Fastify itself refuses reaches no hook.
    frameworkErrors: (error, _request, reply) => sendProblem(setCommonHeaders(reply), toProblem(error)),
    routerOptions: { maxParamLength: 200 },
    exposeHeadRoutes: false,
  });
  app.server.maxConnections = limits.maxConnections;
  observeRequests(app, metrics, logger !== undefined);
  const trusted = [...LOOPBACK, ...(options.trustedProxies ?? [])];
  limitConnections(app.server, limits.connectionsByAddress, trusted);
  acceptJson(
    app,
    scheduler,
    new BodyRoom(Math.max(limits.bodyBytes, limits.inboxBytes)),
    limits.requestTimeout,
  );
  acceptOctets(app, () => new ProblemError('unsupported_media_type', 'unsupported_media_type'));
  const faults = new FaultLog(options.steady ?? steadyClock, (count) =>
    logWarning(app.log, 'warn', 'faults_omitted', { count }),
  );
  app.addHook('onClose', (_app, done) => {
    faults.close();
    done();
  });
  handleProblems(app, faults);
  // Set at the time of the answer: an open poll began long before, and would store them meanwhile.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    setCommonHeaders(reply);
    if (drain.hasBegun) reply.header('connection', 'close');
    done();
  });
  let hosts: ReadonlySet<string> | null = null;
  app.addHook('onRequest', (request, _reply, done) => {
    hosts ??= ownHosts(options, app.server.address() as AddressInfo);
    const isOurs = isForHost(request.raw.rawHeaders, hosts);
    done(isOurs ? undefined : new ProblemError('misdirected_request', 'misdirected_request'));
  });
  return app;
}
