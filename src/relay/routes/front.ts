/**
 * What the relay says of itself: the front page, the API's root, health and readiness.
 */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX, ENDPOINTS } from '../../protocol/endpoints.ts';
import type { RelayContext } from '../context.ts';
import type { AddEndpoint } from '../http/endpoint.ts';

const API_VERSION = '1';
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export function addFrontRoutes(app: FastifyInstance, add: AddEndpoint, context: RelayContext): void {
  const info = { name: context.name, apiVersion: API_VERSION };

  add(ENDPOINTS.getRelay, async () => ({ body: info }));

  app.get('/', (request, reply) => {
    reply.header('vary', 'accept');
    if (request.headers.accept?.includes('application/json')) return reply.send(info);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .send(frontPage(context.name));
  });

  /** The process answers. */
  app.get('/healthz', async () => ({ status: 'ok' }));
  /** The relay can take envelopes. */
  app.get('/readyz', async () => {
    await context.store.checkHealth();
    return { status: 'ready' };
  });
}

function frontPage(name: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(name)}</title>
<style>body { font: 1rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem; color-scheme: light dark }</style>
<h1>${escapeHtml(name)}</h1>
<p>This is a Waxwing relay. It passes on envelopes that their senders have sealed, and cannot read them.
It does know who writes to whom, and when.</p>
<p>The API begins at <code>${API_PREFIX}</code>. To use it with the app, enter this page's address as the relay.</p>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
