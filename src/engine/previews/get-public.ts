/** A GET of a foreign server for a link preview: https, public addresses, no cookies, bounded. */
import type { lookup as resolve } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { MAX_PREVIEW_URL_BYTES } from '../../messaging/contents/previews.ts';

/** Limit of a body, in bytes. */
const MAX_BYTES = 512 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  // One that names neither the app nor its version.
  'user-agent': 'Mozilla/5.0 (compatible; LinkPreview/1.0)',
  'accept-encoding': 'identity',
};

/** The network, which tests replace in part. */
export interface Network {
  isPublic: (address: string) => boolean;
  lookup: typeof resolve;
  /** Trusted certificates instead of the usual ones. */
  ca?: string;
  /** Reports whether calls to an origin go through a proxy. */
  hasProxy: (origin: string) => Promise<boolean>;
}

interface Got {
  /** After redirects. */
  url: URL;
  /** Content type with its parameters, in lower case. */
  type: string;
  body: Buffer;
  /** False if the body is longer than the limit, and cut. */
  isWhole: boolean;
}

/**
 * Follows up to three redirects, each checked again.
 * @throws Error for every reason not to have the answer
 */
export async function getPublic(
  address: string,
  accept: string,
  network: Network,
  signal: AbortSignal,
): Promise<Got> {
  let url = toPublicUrl(address, network);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    // Behind a proxy, the address of the server is the proxy's choice, and cannot be checked.
    if (await network.hasProxy(url.origin)) throw new Error('behind a proxy');
    signal.throwIfAborted();
    const response = await open(url, accept, network, signal);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode)) return read(url, response);
    response.destroy();
    if (location === undefined) break;
    url = toPublicUrl(new URL(location, url).href, network);
  }
  throw new Error('redirected too often');
}

function toPublicUrl(address: string, { isPublic }: Network): URL {
  const url = new URL(address);
  const { protocol, username, password, hostname, href } = url;
  if (protocol !== 'https:' || username !== '' || password !== '') throw new Error('not https');
  if (href.length > MAX_PREVIEW_URL_BYTES) throw new Error('too long');
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isPublic(literal)) throw new Error('not public');
  return url;
}

function open(url: URL, accept: string, network: Network, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const call = request(url, {
    // Its own connection: none to an address that was checked for another purpose.
    agent: false,
    headers: { ...HEADERS, accept },
    lookup: publicLookup(network),
    signal,
    ...(network.ca !== undefined && { ca: network.ca }),
  });
  call.on('socket', (socket) => {
    // The address of the connection itself decides, regardless of the resolved address.
    socket.once('connect', () => {
      if (!network.isPublic(socket.remoteAddress ?? '')) call.destroy(new Error('not public'));
    });
  });
  call.once('response', resolve);
  call.on('error', reject);
  call.end();
  return promise;
}

/** Resolves a name once, and passes its public addresses alone to the connection. */
function publicLookup({ lookup, isPublic }: Network): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const [first, ...others] = found.filter(({ address }) => isPublic(address));
      if (!first) return callback(new Error('not public'), '');
      if (options.all) return callback(null, [first, ...others]);
      callback(null, first.address, first.family);
    });
  };
}

async function read(url: URL, response: IncomingMessage): Promise<Got> {
  const { statusCode, headers } = response;
  const encoding = headers['content-encoding'] ?? 'identity';
  try {
    if (statusCode !== 200) throw new Error('no answer');
    // Responses are not decompressed.
    if (encoding !== 'identity') throw new Error('compressed');
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      const rest = MAX_BYTES - length;
      parts.push(part.subarray(0, rest));
      length += part.length;
      if (length > MAX_BYTES) break;
    }
    return {
      url,
      type: (headers['content-type'] ?? '').toLowerCase(),
      body: Buffer.concat(parts),
      isWhole: length <= MAX_BYTES,
    };
  } finally {
    response.destroy();
  }
}
