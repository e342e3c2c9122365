/** The relay's own pages: documentation, invite links, the API's root, health and readiness. */
import type { FastifyInstance } from 'fastify';
import { API_VERSION, ENDPOINTS } from '../../protocol/endpoints.ts';
import type { RelayContext } from '../context.ts';
import { readPageFile } from '../docs/page-files.ts';
import { fillInHtml, fillInJson } from '../docs/placeholders.ts';
import { texts } from '../docs/texts.ts';
import { INVITE_PATHS, INVITE_POLICY, invitePage } from '../invite-page/page.ts';
import { INVITE_SCRIPT } from '../invite-page/script.ts';
import { INVITE_STYLE } from '../invite-page/style.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { AddEndpoint } from './endpoint.ts';

const WITH_HEAD = { exposeHeadRoute: true };

export function addFrontRoutes(app: FastifyInstance, add: AddEndpoint, context: RelayContext): void {
  const info = { name: context.name, apiVersion: API_VERSION, registration: context.registration };
  // Read at the first request: only then is the relay's URL certain.
  const facts = () => ({ name: context.name, url: context.publicUrl() });
  const page = keepFirst(() => ({
    html: fillInHtml(readBuilt('page'), facts()),
    policy: readBuilt('policy'),
  }));
  const openApi = keepFirst(() => fillInJson(readBuilt('openApi'), facts()));

  add(ENDPOINTS.getRelay, async () => ({ body: info }));

  // Monitors send HEAD.
  app.get('/', WITH_HEAD, (request, reply) => {
    reply.header('vary', 'accept');
    if (request.headers.accept?.includes('application/json')) return reply.send(info);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', page().policy)
      .send(page().html);
  });

  app.get('/openapi.json', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(openApi()),
  );

  for (const { path, type, read } of texts()) {
    const text = keepFirst(read);
    app.get(path, (_request, reply) => reply.header('content-type', type).send(text()));
  }

  const invite = keepFirst(() => invitePage(context.name));
  app.get(INVITE_PATHS.page, WITH_HEAD, (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', INVITE_POLICY)
      .header('referrer-policy', 'no-referrer')
      .send(invite()),
  );
  app.get(INVITE_PATHS.script, (_request, reply) =>
    reply.header('content-type', 'text/javascript; charset=utf-8').send(INVITE_SCRIPT),
  );
  app.get(INVITE_PATHS.style, (_request, reply) =>
    reply.header('content-type', 'text/css; charset=utf-8').send(INVITE_STYLE),
  );

  const checkHealth = shareRunning(() => context.store.checkHealth());
  /** The process answers. */
  app.get('/healthz', WITH_HEAD, async () => ({ status: 'ok' }));
  /** The relay can accept envelopes, and continues to. */
  app.get('/readyz', WITH_HEAD, async () => {
    if (context.drain.hasBegun) throw new ProblemError('unavailable', 'stopping', {}, { retryAfter: 1 });
    await checkHealth();
    return { status: 'ready' };
  });
}

/** Calls a function until it returns once, then repeats its answer. */
function keepFirst<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Calls at the same time share one: callers without an account must not use up the connections to a database. */
function shareRunning(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  };
}

/** @throws ProblemError if the file was not built, as in a new checkout */
function readBuilt(file: Parameters<typeof readPageFile>[0]): string {
  const text = readPageFile(file);
  if (text === null) throw new ProblemError('not_found', 'page');
  return text;
}
