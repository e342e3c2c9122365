import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { RelayHttp } from '../../../src/client/http.ts';
import { callOut, proxyOf } from '../../../src/client/way-out.ts';

afterEach(() => vi.useRealTimers());

const RELAY = 'https://chat.relay.example';
const PROXY = 'http://proxy.example:3128';

test.each<[string, Record<string, string>, string | null]>([
  ['nothing', {}, null],
  ['HTTPS_PROXY', { HTTPS_PROXY: PROXY }, PROXY],
  ['small letters first', { HTTPS_PROXY: 'http://other.example', https_proxy: PROXY }, PROXY],
  ['no scheme', { HTTPS_PROXY: 'proxy.example:3128' }, PROXY],
  ['one for everything', { ALL_PROXY: PROXY }, PROXY],
  ['only one for http', { HTTP_PROXY: PROXY }, null],
  [
    'a password',
    { HTTPS_PROXY: 'http://ann:s%3Acret@proxy.example:3128/' },
    'http://ann:s%3Acret@proxy.example:3128',
  ],
  ['everything spared', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, null],
  ['the host spared', { HTTPS_PROXY: PROXY, NO_PROXY: 'localhost, CHAT.relay.example' }, null],
  ['what is above it spared', { HTTPS_PROXY: PROXY, NO_PROXY: 'relay.example' }, null],
  ['a domain spared', { HTTPS_PROXY: PROXY, no_proxy: '*.relay.example' }, null],
  ['its port spared', { HTTPS_PROXY: PROXY, NO_PROXY: '.relay.example:443' }, null],
  ['another port spared', { HTTPS_PROXY: PROXY, NO_PROXY: 'relay.example:8443' }, PROXY],
  ['a host with the same end spared', { HTTPS_PROXY: PROXY, NO_PROXY: 'lay.example' }, PROXY],
])('with %s in the environment the proxy is the right one', (_name, environment, proxy) => {
  expect(proxyOf(environment, RELAY)).toBe(proxy);
});

test.each([
  'not a proxy',
  'socks5://proxy.example:1080',
  'http://',
  'http://proxy.example/path',
  'http://%zz@proxy',
])('an invalid proxy is refused with the name of the variable: %s', (value) => {
  expect(() => proxyOf({ HTTPS_PROXY: value }, RELAY)).toThrow('HTTPS_PROXY is not the address of a proxy');
});

test.each([
  'http://127.0.0.1:1',
  'https://127.8.9.1:1',
  'https://localhost:1',
  'http://[::1]:1',
  'https://a.localhost:1',
])('no proxy is requested for this computer: %s', async (origin) => {
  const findProxy = vi.fn();
  const init = { signal: new AbortController().signal };
  await callOut(`${origin}/`, init, { findProxy, trustsSystem: false }).catch(() => undefined);
  expect(findProxy).not.toHaveBeenCalled();
});

test('waits for a system’s proxy no longer than the call’s limit', async () => {
  const init = { signal: AbortSignal.timeout(1) };
  const never = { findProxy: () => new Promise<never>(() => undefined), trustsSystem: false };
  await expect(callOut(RELAY, init, never)).rejects.toThrow(/aborted/);
});

test('does not count the time for finding the route as the relay’s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const timeout = 5_000;
  const takeLong = () => vi.advanceTimersByTime(timeout - 1);
  const refusing = createServer().on('connect', (_request, stream) => {
    takeLong();
    stream.end('HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n');
  });
  await once(refusing.listen(0, '127.0.0.1'), 'listening');
  const findProxy = async () => {
    takeLong();
    return `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  };
  const http = new RelayHttp(RELAY, { findProxy, trustsSystem: false });
  await expect(http.request('GET', '/', { timeout })).rejects.toMatchObject({
    code: 'proxy_refused',
  });
  refusing.close();
});
