/**
 * Under which names a relay answers. A page of another site that had its name pointed at this computer calls under that
 * name, and gets nothing.
 */
import type { AddressInfo } from 'node:net';
import type { RelayOptions } from './options.ts';

/** The names and addresses by which programs on this computer call. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * The Host headers of a server's own, in lower case: loopback and the address where it listens with its port, that of
 * the public URL, and those that the operator added.
 * @param listening where the server listens
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
    // Proxies pass the name on without the port, too: nginx with $host.
    if (!LOOPBACK.includes(hostname)) own.add(hostname);
  }
  return own;
}

/** Whether the Host headers of a request are one, and one of these. Judged as they came: Node takes the first of several. */
export function isForHost(rawHeaders: readonly string[], own: ReadonlySet<string>): boolean {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
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
