import { expect, test } from 'vitest';
import { isForHost, ownHosts } from '../../../../src/relay/settings/hosts.ts';

const LOCAL = { address: '127.0.0.1', family: 'IPv4', port: 8787 };

const answers = (host: string, own: ReadonlySet<string>) => isForHost(['Host', host], own);

test('a relay on this computer answers to the names of this computer with its port', () => {
  const own = ownHosts({}, LOCAL);
  for (const host of ['127.0.0.1:8787', 'localhost:8787', 'LocalHost:8787', '[::1]:8787'])
    expect([host, answers(host, own)]).toEqual([host, true]);
  for (const host of [
    'evil.test:8787',
    'evil.test',
    '127.0.0.1',
    'localhost:8788',
    'localhost.evil.test:8787',
    '',
  ])
    expect([host, answers(host, own)]).toEqual([host, false]);
});

test('a relay with a public URL answers to its host, with the port or without, and to this computer', () => {
  const own = ownHosts({ publicUrl: 'https://relay.example' }, LOCAL);
  for (const host of ['relay.example', 'relay.example:443', 'RELAY.example', '127.0.0.1:8787'])
    expect([host, answers(host, own)]).toEqual([host, true]);
  for (const host of ['evil.test', 'relay.example:80', 'www.relay.example', 'relay.example.'])
    expect([host, answers(host, own)]).toEqual([host, false]);
  // nginx passes $host on, which has no port.
  const other = ownHosts({ publicUrl: 'https://relay.example:8443' }, LOCAL);
  for (const host of ['relay.example:8443', 'relay.example']) expect(answers(host, other)).toBe(true);
  expect(answers('relay.example:443', other)).toBe(false);
});

test('the port of plain http may be left out', () => {
  expect(answers('localhost', ownHosts({}, { ...LOCAL, port: 80 }))).toBe(true);
});

test('a relay that listens elsewhere answers to that address, and one that listens everywhere to no further name', () => {
  expect(answers('10.0.0.5:8787', ownHosts({}, { ...LOCAL, address: '10.0.0.5' }))).toBe(true);
  expect(answers('[fd00::5]:8787', ownHosts({}, { address: 'fd00::5', family: 'IPv6', port: 8787 }))).toBe(
    true,
  );
  const everywhere = ownHosts({}, { ...LOCAL, address: '0.0.0.0' });
  expect(answers('10.0.0.5:8787', everywhere)).toBe(false);
  expect(answers('0.0.0.0:8787', everywhere)).toBe(false);
});

test('accepts hosts added by the operator', () => {
  const own = ownHosts({ hosts: ['Relay.Internal:8787'] }, LOCAL);
  expect(answers('relay.internal:8787', own)).toBe(true);
  expect(answers('relay.internal', own)).toBe(false);
});

test('refuses a missing, double or misplaced host', () => {
  const own = ownHosts({}, LOCAL);
  expect(isForHost([], own)).toBe(false);
  expect(isForHost(['Host', 'localhost:8787', 'HOST', 'localhost:8787'], own)).toBe(false);
  expect(isForHost(['X-Forwarded-Host', 'localhost:8787'], own)).toBe(false);
});
