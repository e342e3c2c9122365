/**
 * The form of refusals and faults of paths, bodies and credentials: the specification's §4, §5 and §9, the protocol's §8.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import { type Answer, Calls, type Problem } from '../../interop/by-hand/calls.ts';
import { createGroup } from '../../interop/by-hand/credentials.ts';
import { expectProblem } from '../../interop/by-hand/problems.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ada: Account;

beforeAll(async () => {
  await relay.start();
  ada = await Account.signUp(relay.url);
});
afterAll(() => relay[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown) => ada.session.send<Problem>(method, path, body);

/** A request with any body and headers. */
async function postTo(
  url: string,
  { token }: Calls,
  body: string | Uint8Array<ArrayBuffer> | Blob,
  contentType: string | null,
  path = '/envelopes',
): Promise<Answer<Problem>> {
  const headers = new Headers({ authorization: `Bearer ${token}` });
  if (contentType !== null) headers.set('content-type', contentType);
  const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body });
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    headers: response.headers,
    body: (await response.json()) as Problem,
  };
}

const post = (body: string | Uint8Array<ArrayBuffer> | Blob, contentType: string | null, path?: string) =>
  postTo(relay.url, ada.session, body, contentType, path);

describe('a refusal', () => {
  it('§8: is problem+json with these members and no others, and its id in a header too', async () => {
    const { status, contentType, headers, body } = await call('GET', '/handles/nobody_has_this');
    expect(contentType).toMatch(/^application\/problem\+json\b/);
    expect(body).toEqual({
      type: expect.stringMatching(/^\w+:\S+/),
      reason: expect.any(String),
      title: expect.any(String),
      status,
      code: 'not_found',
      detail: expect.stringMatching(/^[A-Z].*[.…]$/),
      requestId: headers.get('x-request-id'),
    });
  });

  it('§8: of a field names the field', async () => {
    const answer = await call('POST', '/groups', { entries: [], listed: 7 });
    expectProblem(answer, 400, 'invalid_request');
    expect(answer.body.errors?.map(({ path }) => path)).toEqual(['entries', 'listed']);
  });

  it('§8: has an id of its own each time', async () => {
    const answers = await Promise.all([call('GET', '/nowhere'), call('GET', '/nowhere')]);
    expect(new Set(answers.map(({ body }) => body.requestId)).size).toBe(2);
  });
});

describe('the path', () => {
  it.each(['/nowhere', '/me/nothing', '/groups/x/nothing', '/handles/a/b', '/me/'])(
    '§8: %s is 404 not_found',
    async (path) => {
      expectProblem(await call('GET', path), 404, 'not_found');
    },
  );

  it('§9: of the API is under /api/v1 and nowhere else', async () => {
    for (const path of ['/me', '/api/me', '/api/v2/me']) {
      const response = await fetch(relay.url + path, {
        headers: { authorization: `Bearer ${ada.session.token}` },
      });
      expect(response.status, path).toBe(404);
    }
  });

  it.each([
    ['POST', '/me', ['DELETE', 'GET']],
    ['DELETE', '/envelopes', ['POST']],
    ['GET', '/inbox/ack', ['POST']],
    ['PATCH', '/groups', ['GET', 'POST']],
    ['POST', '/groups/x', ['GET']],
    ['GET', '/groups/x/tokens', ['POST']],
    ['POST', '/me/handle', ['PUT']],
  ])('docs §15: %s %s is 405, and Allow names %j', async (method, path, allowed) => {
    const answer = await call(method, path);
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed);
  });
});

describe('the body', () => {
  it.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/jsonp'], [null]])(
    '§4: sent as %s is 415',
    async (contentType) => {
      expectProblem(await post(new Blob(['{}']), contentType), 415, 'unsupported_media_type');
    },
  );

  it.each([['application/json'], ['application/json; charset=utf-8'], ['Application/JSON']])(
    '§4: sent as %s is accepted',
    async (contentType) => {
      expectProblem(await post('{}', contentType), 400, 'invalid_request');
    },
  );

  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['cut off', '{"name":'],
    ['empty', ''],
    ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a list', '[]'],
    ['null', 'null'],
    ['with a field named twice', '{"name":"a","name":"b"}'],
    ['with __proto__', '{"name":"a","__proto__":{}}'],
    ['nested deeper than 16 levels', `{"name":${'['.repeat(17)}${']'.repeat(17)}}`],
    ['followed by something else', '{"name":"a"} x'],
    ['with NaN', '{"name":NaN}'],
    ['with half a surrogate pair', '{"name":"\\ud800"}'],
  ])('docs §15: that is %s is 400', async (_, body) => {
    expectProblem(await post(body, 'application/json', '/groups'), 400, 'invalid_request');
  });

  it('§8: of more than 16 MiB is 413', async () => {
    const answer = await post(new Uint8Array(16 * 1024 * 1024 + 1).fill(32), 'application/json');
    expectProblem(answer, 413, 'too_large');
  });

  it('§8: of more than the configured limit is 413', async () => {
    await using small = await new TestRelay({ limits: { bodyBytes: 20_000 } }).start();
    const account = await Account.signUp(small.url);
    const ofBytes = (bytes: number) => JSON.stringify({ envelopes: [] }).padEnd(bytes);
    const send = (bytes: number) => postTo(small.url, account.session, ofBytes(bytes), 'application/json');
    expectProblem(await send(20_000), 400, 'invalid_request');
    expectProblem(await send(20_001), 413, 'too_large');
  });
});

describe('the credential', () => {
  it.each([
    ['missing', {}],
    ['of another scheme', { authorization: 'Basic YTpi' }],
    ['empty', { authorization: 'Bearer ' }],
    ['in the query alone', {}],
  ])('§5.1: that is %s is 401, with WWW-Authenticate: Bearer', async (kind, headers) => {
    const query = kind.includes('query') ? `?access_token=${ada.session.token}` : '';
    const response = await fetch(`${relay.url}/api/v1/me${query}`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
    expect(await response.json()).toMatchObject({ code: 'unauthorized' });
  });

  it('§8: of an unknown call is ignored: 404 and 405 are for all callers', async () => {
    const anonymous = new Calls(relay.url, null);
    expectProblem(await anonymous.send('GET', '/nowhere'), 404, 'not_found');
    expectProblem(await anonymous.send('POST', '/me'), 405, 'method_not_allowed');
  });

  it('is checked before the body: without one, faults of the body are not reported', async () => {
    const { id } = await createGroup(ada);
    const anonymous = new Calls(relay.url, null);
    for (const path of ['/envelopes', `/groups/${id}/envelopes`, '/groups/nope/envelopes', '/inbox/ack']) {
      expectProblem(await anonymous.send('POST', path, { text: 'Hello' }), 401, 'unauthorized');
    }
  });
});

describe('the docs of the relay', () => {
  it('§1: are on the same host: a page, and an OpenAPI document with every endpoint', async () => {
    const page = await fetch(relay.url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const document = (await (await fetch(`${relay.url}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, object>;
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    const paths = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(paths).toEqual(
      expect.arrayContaining(
        [
          'GET /me',
          'GET /handles/:handle',
          'GET /handles',
          'GET /keys/:address',
          'POST /envelopes',
          'GET /inbox',
          'POST /inbox/ack',
          'GET /groups',
          'POST /groups',
          'GET /groups/:id',
          'PUT /groups/:id/listing',
          'POST /groups/:id/admission',
          'GET /groups/:id/roster',
          'POST /groups/:id/roster',
          'POST /groups/:id/envelopes',
          'POST /groups/:id/tokens',
          'DELETE /groups/:id/tokens/:tokenId',
          'POST /me/api-keys',
          'GET /me/api-keys',
          'DELETE /me/api-keys/:id',
          'PUT /me/developer-access',
        ].map((line) => line.replace(' /', ' /api/v1/')),
      ),
    );
  });
});
