/**
 * The routes of the server: a new one has its access in the table, or is named here.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { API_PREFIX, ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { texts } from '../../../src/relay/docs/texts.ts';
import { TestRelay } from '../../support/relay.ts';

/** Routes outside of the table. They return no data of accounts. */
const FRONT_ROUTES = [
  'GET /',
  'GET /i',
  'GET /i.css',
  'GET /i.js',
  'GET /openapi.json',
  'GET /healthz',
  'GET /readyz',
];

test('each route of the server is in the table with its access, or returns no data of accounts', async () => {
  const routes: string[] = [];
  // Fastify announces a new server to the whole process, before it has routes.
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      routes.push(...[method].flat().map((each) => `${each} ${url}`));
    });
  };
  subscribe('fastify.initialization', collect);
  const relay = new TestRelay({ memberInvitations: true });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  await relay.start();
  unsubscribe('fastify.initialization', collect);

  const rows = Object.values(ENDPOINTS).map(({ method, path }) => `${method} ${API_PREFIX}${path}`);
  const published = texts().map(({ path }) => `GET ${path}`);
  const heads = ['HEAD /', 'HEAD /i', 'HEAD /healthz', 'HEAD /readyz', `HEAD ${API_PREFIX}/blobs/:id`];
  expect(routes.toSorted()).toEqual([...rows, ...FRONT_ROUTES, ...published, ...heads].toSorted());
});
