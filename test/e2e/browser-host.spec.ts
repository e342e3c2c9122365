import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import { TestHost } from '../support/browser-host.ts';
import { temporaryFolder } from '../support/engine.ts';
import { firstRun } from './support/pages.ts';
import { expect, test, watched } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

test('B4, V12: a page of another origin gets no answer, no call and no socket', async ({
  page,
  mayComplain,
}) => {
  mayComplain(/blocked by CORS|Failed to load resource|WebSocket connection|frame-ancestors/);
  await using host = await new TestHost().start();
  const attacker = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Evil</title>');
  });
  attacker.listen(0, '127.0.0.1');
  await once(attacker, 'listening');
  try {
    await page.goto(`http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`);
    const bearer = await host.newBearer();
    const token = host.newToken();
    const outcomes = await page.evaluate(
      async ({ origin, authority, bearer, token }) => {
        const attempt = (path: string, init: RequestInit) =>
          fetch(origin + path, init).then(
            (response) => `${response.type} ${response.status}`,
            () => 'failed',
          );
        const json = { 'content-type': 'application/json' };
        const body = JSON.stringify({ token });
        const socket = new WebSocket(`ws://${authority}/bridge`);
        const socketSaid = new Promise<string>((resolve) => {
          socket.onopen = () => {
            socket.send(bearer);
            socket.send(JSON.stringify({ t: 'q', m: 'call', a: ['setup.newPhrase', {}], i: '1' }));
          };
          socket.onmessage = ({ data }) => resolve(`received ${data}`);
          socket.onclose = ({ code }) => resolve(`closed ${code}`);
        });
        const script = document.createElement('script');
        const scriptSaid = new Promise<string>((resolve) => {
          script.onload = () => resolve('loaded');
          script.onerror = () => resolve('failed');
        });
        script.src = `${origin}/assets/index.js`;
        document.head.append(script);
        const frame = document.createElement('iframe');
        frame.src = `${origin}/`;
        const framed = new Promise<string>((resolve) => {
          frame.onload = () => resolve(frame.contentDocument === null ? 'closed to us' : 'open to us');
        });
        document.body.append(frame);
        return {
          read: await attempt('/', {}),
          blindRead: await attempt('/', { mode: 'no-cors' }),
          exchange: await attempt('/session', { method: 'POST', headers: json, body }),
          blindExchange: await attempt('/session', { method: 'POST', mode: 'no-cors', body }),
          socket: await socketSaid,
          script: await scriptSaid,
          frame: await framed,
        };
      },
      { origin: host.origin, authority: host.authority, bearer, token },
    );
    expect(outcomes).toEqual({
      read: 'failed',
      blindRead: 'failed',
      exchange: 'failed',
      blindExchange: 'failed',
      socket: 'closed 1006',
      script: 'failed',
      frame: 'closed to us',
    });
    expect(page.frames().map((frame) => frame.url())).not.toContain(`${host.origin}/`);
    expect(host.called).toEqual([]);
    expect((await host.exchange(token)).status, 'the link was not used up').toBe(200);
  } finally {
    attacker.closeAllConnections();
    attacker.close();
  }
});

test('B3, V13: a request under a foreign name for this computer is answered 421', async ({
  launchOptions,
  mayComplain,
}) => {
  mayComplain(/status of 421|Cross-Origin-Opener-Policy header has been ignored|Content Security Policy/);
  await using host = await new TestHost().start();
  const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP evil.test 127.0.0.1'];
  const browser = watched(await chromium.launch({ ...launchOptions, args }));
  try {
    const page = await browser.newPage();
    const response = await page.goto(`http://evil.test:${host.port}/`);
    expect(response?.status()).toBe(421);
    const token = host.newToken();
    const outcomes = await page.evaluate(async (token) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const exchange = await fetch('/session', { ...init, body: JSON.stringify({ token }) }).then(
        ({ status }) => status,
        () => 'failed',
      );
      return { exchange };
    }, token);
    // The policy of the answer already blocks the page; without it the host name would.
    expect(['failed', 421]).toContain(outcomes.exchange);
    expect((await host.exchange(token)).status, 'the link was not used up').toBe(200);
    expect(host.called).toEqual([]);
  } finally {
    await browser.close();
  }
});

test('C2: the page keeps its policy through first run, and its session through a reload', async ({
  page,
}) => {
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path]);
  const link = await app.url();
  await page.goto(link);
  await firstRun(page, 'somebody');
  expect(page.url(), 'the link is out of the address bar').toBe(`${new URL(link).origin}/`);
  await page.reload();
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
});
