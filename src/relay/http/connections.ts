/** Limits on open connections per network address, and the closing of idle connections. */
import { BlockList, isIPv6, type Server, type Socket } from 'node:net';
import { networkOf } from './network.ts';

/**
 * Closes new connections of an address beyond `most`.
 * @param trusted addresses and networks that many others share: proxies in front
 */
export function limitConnections(server: Server, most: number, trusted: readonly string[]): void {
  const exempt = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) exempt.addAddress(address, family);
    else exempt.addSubnet(address, Number(bits), family);
  }
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || exempt.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count > most) socket.destroy();
  });
}

/**
 * Tracks open connections for the end of a server. Node counts a connection without a request as a call in
 * progress. Browsers and HTTP libraries open such connections in advance.
 * @returns the function that closes them
 */
export function followUnused(server: Server): () => void {
  const open = new Set<Socket>();
  server.prependListener('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}
