/**
 * Connections that the relay refuses before it reads the call: docs/protocol.md §11.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import { rawRequest } from '../../interop/by-hand/raw.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay();
let ada: Account;

beforeAll(async () => {
  await relay.start();
  ada = await Account.signUp(relay.url);
});
afterAll(() => relay[Symbol.asyncDispose]());

describe('the connection', () => {
  const host = () => `Host: ${new URL(relay.url).host}`;
  const authorization = () => `Authorization: Bearer ${ada.session.token}`;

  it.each([
    ['two Host headers', () => [host(), 'Host: elsewhere.example']],
    ['the same Host header twice', () => [host(), host()]],
  ])('docs §15: with %s is 421', async (_, hosts) => {
    const { status, head, body } = await rawRequest(relay.url, [
      'GET /api/v1/me HTTP/1.1',
      ...hosts(),
      authorization(),
      'Connection: close',
    ]);
    expect([status, body.code]).toEqual([421, 'misdirected_request']);
    expect(head).toContain('application/problem+json');
  });

  it('docs §15: of HTTP/1.0 without a Host header is 421', async () => {
    const { status, body } = await rawRequest(relay.url, ['GET /api/v1/me HTTP/1.0', authorization()]);
    expect([status, body.code]).toEqual([421, 'misdirected_request']);
  });

  // The relay answers a bare 400 without a body.
  it('docs §15: of HTTP/1.1 without a Host header is 421', async () => {
    const { status, body } = await rawRequest(relay.url, [
      'GET /api/v1/me HTTP/1.1',
      authorization(),
      'Connection: close',
    ]);
    expect([status, body.code]).toEqual([421, 'misdirected_request']);
  });

  it('docs §15: with too large headers is 431', async () => {
    const { status, body } = await rawRequest(relay.url, [
      'GET /api/v1/me HTTP/1.1',
      host(),
      `X-Long: ${'x'.repeat(100_000)}`,
    ]);
    expect([status, body.code]).toEqual([431, 'headers_too_large']);
  });

  it('docs §15: with a slow body is 408', async () => {
    await using hasty = await new TestRelay({ limits: { requestTimeout: 500, headersTimeout: 400 } }).start();
    const account = await Account.signUp(hasty.url);
    const { status, body } = await rawRequest(
      hasty.url,
      [
        'POST /api/v1/groups HTTP/1.1',
        `Host: ${new URL(hasty.url).host}`,
        `Authorization: Bearer ${account.session.token}`,
        'Content-Type: application/json',
        'Content-Length: 1000',
      ],
      '{"name":',
    );
    expect([status, body.code]).toEqual([408, 'request_timeout']);
  });
});
