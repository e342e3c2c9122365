/** The route of calls from this computer: direct or through a proxy, and the trusted certificates. */
import tls from 'node:tls';
import type { Dispatcher } from 'undici';
import { describe } from '../base/error-facts.ts';
import { log } from '../base/log.ts';
import { proxyUrl } from '../base/proxy-address.ts';
import { isOwnComputer } from '../protocol/relay-origin.ts';
import { RelayUnreachable } from './errors.ts';

/**
 * The proxy for calls to an origin, as a URL of http or https; null for a direct route. Called for each call, because
 * the system's answer changes with its network. Never called for this computer.
 * @throws RelayUnreachable for an unusable proxy
 */
export type FindProxy = (origin: string) => Promise<string | null>;

export interface WayOut {
  findProxy: FindProxy;
  /** True to trust the system's certificates, besides Node's own. */
  trustsSystem: boolean;
}

type Init = RequestInit & { signal: AbortSignal };

/** The most proxies with open connections. */
const MAX_AGENTS = 4;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The proxy in the environment of this process. */
export const findProxyByEnvironment: FindProxy = async (origin) => proxyOf(process.env, origin);

/** The default of the command line. Node reads further certificates from NODE_EXTRA_CA_CERTS. */
let ofThread: WayOut = { findProxy: findProxyByEnvironment, trustsSystem: false };
let isSystemTrusted = false;
const agents = new Map<string, Dispatcher>();

/** Sets the default route of this thread's calls. */
export function leaveBy(way: WayOut): void {
  ofThread = way;
}

/** The proxy for calls of this thread to an origin; null for a direct route. @throws RelayUnreachable */
export function proxyTo(origin: string): Promise<string | null> {
  return ofThread.findProxy(origin);
}

/**
 * `fetch`, through the proxy if there is one. Errors are those of fetch.
 * @param alive called after each step before the request is sent: their time does not count against the relay
 * @throws RelayUnreachable for a failure of the proxy
 */
export async function callOut(
  url: string,
  init: Init,
  way: WayOut = ofThread,
  alive: () => void = () => undefined,
): Promise<Response> {
  const { origin, hostname } = new URL(url);
  if (isOwnComputer(hostname) || hostname.endsWith('.localhost')) return fetch(url, init);
  if (way.trustsSystem) trustSystem();
  alive();
  const proxy = await unlessAborted(way.findProxy(origin), init.signal);
  alive();
  return proxy === null ? fetch(url, init) : fetchThrough(proxy, url, init, alive);
}

/**
 * The proxy in environment variables for an origin, by curl's rules: lower case before upper case; NO_PROXY lists
 * hosts including subdomains, each optionally with a port, or `*`.
 * @throws RelayUnreachable proxy_malformed
 */
export function proxyOf(
  environment: Readonly<Record<string, string | undefined>>,
  origin: string,
): string | null {
  const given = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  const { protocol, hostname, port } = new URL(origin);
  const [name = '', value = ''] =
    [protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY']
      .map((each) => [each, given(each)])
      .find(([, text]) => text !== '') ?? [];
  if (value === '') return null;
  const isSpared = given('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, host = '', onlyPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (onlyPort !== undefined && onlyPort !== (port || DEFAULT_PORTS[protocol])) return false;
      return entry === '*' || (host !== '' && (hostname === host || hostname.endsWith(`.${host}`)));
    });
  if (isSpared) return null;
  const proxy = proxyUrl(value);
  if (proxy === null) throw new RelayUnreachable('proxy_malformed', { from: name });
  return proxy;
}

/** Through undici's own fetch: Node's built-in version may differ and not accept its agents. */
async function fetchThrough(proxy: string, url: string, init: Init, alive: () => void): Promise<Response> {
  const undici = await import('undici');
  alive();
  let agent = agents.get(proxy);
  if (!agent) {
    agent = new undici.ProxyAgent(proxy);
    agents.set(proxy, agent);
    const [oldest] = agents;
    if (agents.size > MAX_AGENTS && oldest) {
      agents.delete(oldest[0]);
      void oldest[1].close();
    }
  }
  // Its types equal Node's, under other names.
  const through = undici.fetch as unknown as (url: string, init: object) => Promise<Response>;
  try {
    return await through(url, { ...init, dispatcher: agent });
  } catch (error) {
    throw faultOfProxy(error) ?? error;
  }
}

/** The failure before a connection to the relay; null if the relay may be the cause. */
function faultOfProxy(error: unknown): RelayUnreachable | null {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return null;
  // Undici reports the proxy's answer to CONNECT only as text, as the cause of an abort.
  const reason = cause.cause instanceof Error ? cause.cause.message : '';
  const [, status] = /^Proxy response \((\d{3})\)/.exec(reason) ?? [];
  if (status !== undefined) return new RelayUnreachable('proxy_refused', { status: Number(status) });
  const code = 'code' in cause ? String(cause.code) : '';
  const isUnreached = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code);
  const isBad = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_PRX_TLS'].includes(code);
  return isUnreached || isBad ? new RelayUnreachable('proxy_unreachable') : null;
}

/**
 * Once in a thread, before its first call to another computer: it takes a tenth of a second. Unreadable certificates
 * are skipped.
 */
function trustSystem(): void {
  if (isSystemTrusted) return;
  isSystemTrusted = true;
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]);
  } catch (error) {
    log('warn', 'certificates.unread', describe(error));
  }
}

/** A system may take long to find its proxy; the call has its own time limit. */
async function unlessAborted<T>(found: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([found, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
