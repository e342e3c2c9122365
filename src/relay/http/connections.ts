/** Limits on open connections per network address, and the closing of idle connections. */
import { BlockList, isIPv6, type Server, type Socket } from 'node:net';
import { isLoopback, networkOf, wideNetworkOf } from './network.ts';
import { WIDE_SHARE } from './network-limit.ts';

/**
 * Closes new connections of an address beyond `most`, and of the network around it beyond ten times as many.
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
    const places: [name: string, most: number][] = isLoopback(network)
      ? [[network, most]]
      : [
          [network, most],
          [wideNetworkOf(network), most * WIDE_SHARE],
        ];
    for (const [name] of places) open.set(name, (open.get(name) ?? 0) + 1);
    socket.once('close', () => {
      for (const [name] of places) {
        const left = (open.get(name) ?? 1) - 1;
        if (left > 0) open.set(name, left);
        else open.delete(name);
      }
    });
    if (places.some(([name, limit]) => (open.get(name) ?? 0) > limit)) socket.destroy();
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
