import { expect, test } from 'vitest';
import { findSystemProxy } from '../../../src/main/system-proxy.ts';

const ask = (answer: string) =>
  findSystemProxy({ resolveProxy: async () => answer })('https://relay.example');

test.each([
  ['DIRECT', null],
  ['PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['HTTPS proxy.example:443;DIRECT', 'https://proxy.example'],
  ['SOCKS5 proxy.example:1080; PROXY [2001:db8::1]:3128', 'http://[2001:db8::1]:3128'],
  ['SOCKS proxy.example:1080; DIRECT', null],
])('the first usable proxy of Chromium’s answer is used: %s', async (answer, proxy) => {
  expect(await ask(answer)).toBe(proxy);
});

test.each(['SOCKS5 proxy.example:1080', 'PROXY', ''])('reports an unusable proxy: %j', async (answer) => {
  await expect(ask(answer)).rejects.toMatchObject({ code: 'proxy_unsupported' });
});
