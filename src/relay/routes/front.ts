/** The relay's own pages: documentation, the API's root, health and readiness. */
import type { FastifyInstance } from 'fastify';
import { API_VERSION, ENDPOINTS } from '../../protocol/endpoints.ts';
import type { RelayContext } from '../context.ts';
import { type Documentation, makeDocumentation, PAGE_POLICY } from '../docs/index.ts';
import { texts } from '../docs/texts.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AddEndpoint } from './endpoint.ts';

const WITH_HEAD = { exposeHeadRoute: true };

export function addFrontRoutes(app: FastifyInstance, add: AddEndpoint, context: RelayContext): void {
  const info = { name: context.name, apiVersion: API_VERSION, registration: context.registration };
  let made: Documentation | null = null;
  /** Built at the first request: only then is the relay's URL certain. */
  const documentation = () => {
    made ??= makeDocumentation(context);
    return made;
  };

  add(ENDPOINTS.getRelay, async () => ({ body: info }));

  // Monitors send HEAD.
  app.get('/', WITH_HEAD, (request, reply) => {
    reply.header('vary', 'accept');
    if (request.headers.accept?.includes('application/json')) return reply.send(info);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .send(documentation().page);
  });

  app.get('/openapi.json', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(documentation().openApi),
  );

  for (const { path, type, read } of texts()) {
    let text: string | null = null;
    app.get(path, (_request, reply) => {
      text ??= read();
      return reply.header('content-type', type).send(text);
    });
  }

  /** The process answers. */
  app.get('/healthz', WITH_HEAD, async () => ({ status: 'ok' }));
  /** The relay can accept envelopes, and continues to. */
  app.get('/readyz', WITH_HEAD, async () => {
    if (context.drain.hasBegun) throw new ProblemError('unavailable', 'stopping', {}, { retryAfter: 1 });
    await context.store.checkHealth();
    return { status: 'ready' };
  });
}
