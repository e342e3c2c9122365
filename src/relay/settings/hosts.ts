/**
 * The relay's accepted host names. A page of another site whose name points at this computer calls by that name,
 * and is refused.
 */
import type { AddressInfo } from 'node:net';
import type { RelayOptions } from './options.ts';

/** Names and addresses that programs on this computer use. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HOST = 'host';
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * The Host headers of a server's own, in lower case: loopback and its listening address with the port, the host of
 * the public URL, and those that the operator added.
 * @param listening the listening address of the server
 */
export function ownHosts(
  { publicUrl, hosts = [] }: Pick<RelayOptions, 'publicUrl' | 'hosts'>,
  listening: AddressInfo,
): ReadonlySet<string> {
  const own = new Set<string>(hosts.map((host) => host.toLowerCase()));
  const add = (name: string, port: string, protocol: string) => {
    own.add(`${name}:${port}`);
    if (port === DEFAULT_PORTS[protocol]) own.add(name);
  };
  for (const name of LOOPBACK) add(name, String(listening.port), 'http:');
  if (!isAnyAddress(listening)) add(inUrl(listening), String(listening.port), 'http:');
  if (publicUrl !== undefined) {
    const { hostname, port, protocol } = new URL(publicUrl);
    add(hostname, port || (DEFAULT_PORTS[protocol] ?? ''), protocol);
    // Proxies may also omit the port: nginx does with $host.
    if (!LOOPBACK.includes(hostname)) own.add(hostname);
  }
  return own;
}

/**
 * True if a request has exactly one Host header, and it is one of these. Checked on the raw headers: Node uses the
 * first of several.
 */
export function isForHost(rawHeaders: readonly string[], own: ReadonlySet<string>): boolean {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts.push(rawHeaders[index + 1] ?? '');
  }
  const [host = ''] = hosts;
  return hosts.length === 1 && own.has(host.toLowerCase());
}

function isAnyAddress({ address }: AddressInfo): boolean {
  return address === '0.0.0.0' || address === '::';
}

function inUrl({ address, family }: AddressInfo): string {
  return family === 'IPv6' ? `[${address}]` : address;
}
