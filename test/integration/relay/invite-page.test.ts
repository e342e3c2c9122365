/** The page of invite links at a relay. Its look and its script are tested in test/e2e/invite-page.spec.ts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INVITE_POLICY, invitePage } from '../../../src/relay/invite-page/page.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ name: 'Test <relay> & "co"' });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

test('serves the page with a strict policy and no referrer, the same for each link', async () => {
  const response = await fetch(`${relay.url}/i#AQID`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toBe(INVITE_POLICY);
  expect(INVITE_POLICY).not.toContain('unsafe');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const page = await response.text();
  expect(page).toContain('for the server Test &#60;relay&#62; &#38; &#34;co&#34;.');
  expect(page).not.toContain('<relay>');
  expect((await fetch(`${relay.url}/i`, { method: 'HEAD' })).status).toBe(200);
});

test('the page has no inline script or style, and names only files of the relay', async () => {
  const page = await (await fetch(`${relay.url}/i`)).text();
  expect(page).not.toMatch(/<style|<script>| style=| on[a-z]+=/);
  const files = Array.from(page.matchAll(/(?:src|href)="(\/[^"]*)"/g), ([, path]) => path ?? '');
  expect(files).toEqual(['/i.css', '/i.js']);
  const types = await Promise.all(
    files.map(async (path) => (await fetch(relay.url + path)).headers.get('content-type')),
  );
  expect(types).toEqual(['text/css; charset=utf-8', 'text/javascript; charset=utf-8']);
});

test('names the page of the app, if there is one', () => {
  const link = '<a href="https://waxwing.test/" rel="noreferrer">waxwing.test</a>';
  expect(invitePage('Relay', new URL('https://waxwing.test'))).toContain(`Get it at ${link}.`);
  expect(invitePage('Relay', null)).toContain('Ask the person who invited you where to get it.');
});
