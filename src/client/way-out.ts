/**
 * How calls leave this computer: straight to the relay or through a proxy, and whose certificates are believed.
 */
import tls from 'node:tls';
import type { Dispatcher } from 'undici';
import { describe } from '../base/error-facts.ts';
import { log } from '../base/log.ts';
import { proxyUrl } from '../base/proxy-address.ts';
import { isOwnComputer } from '../protocol/relay-origin.ts';
import { RelayUnreachable } from './errors.ts';

/**
 * The proxy for calls to an origin, as a URL of http or https; null to go straight there. Asked for each call, because
 * what a system answers changes with its network. Never asked about this computer.
 * @throws RelayUnreachable, where there is a proxy that cannot be used
 */
export type FindProxy = (origin: string) => Promise<string | null>;

export interface WayOut {
  findProxy: FindProxy;
  /** Whether certificates are believed that the system believes, beside those that Node brings. */
  trustsSystem: boolean;
}

type Init = RequestInit & { signal: AbortSignal };

/** Proxies whose connections are kept. */
const MOST_AGENTS = 4;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The proxy that the environment of this process names. */
export const findProxyByEnvironment: FindProxy = async (origin) => proxyOf(process.env, origin);

/** As programs of the command line do it. Which other certificates are believed Node takes from NODE_EXTRA_CA_CERTS. */
let ofThread: WayOut = { findProxy: findProxyByEnvironment, trustsSystem: false };
let isSystemTrusted = false;
const agents = new Map<string, Dispatcher>();

/** Says how calls leave from this thread that bring no way of their own. */
export function leaveBy(way: WayOut): void {
  ofThread = way;
}

/**
 * `fetch`, through the proxy that there may be. What fails is thrown as fetch throws it.
 * @param alive is called after each step that this computer takes before the request leaves: their time is not the relay's
 * @throws RelayUnreachable, where the proxy is to blame
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
 * The proxy that environment variables name for an origin, by curl's rules: in small letters before capitals; NO_PROXY
 * lists hosts with all below them, each with a port if only that is meant, or `*`.
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

/** Through undici's own fetch: a Node of another version has another one inside, which may not take its agents. */
async function fetchThrough(proxy: string, url: string, init: Init, alive: () => void): Promise<Response> {
  const undici = await import('undici');
  alive();
  let agent = agents.get(proxy);
  if (!agent) {
    agent = new undici.ProxyAgent(proxy);
    agents.set(proxy, agent);
    const [oldest] = agents;
    if (agents.size > MOST_AGENTS && oldest) {
      agents.delete(oldest[0]);
      void oldest[1].close();
    }
  }
  // Its types are Node's own, under other names.
  const through = undici.fetch as unknown as (url: string, init: object) => Promise<Response>;
  try {
    return await through(url, { ...init, dispatcher: agent });
  } catch (error) {
    throw faultOfProxy(error) ?? error;
  }
}

/** What went wrong before there was a connection to the relay; null if the relay may be to blame. */
function faultOfProxy(error: unknown): RelayUnreachable | null {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return null;
  // What the proxy answers to CONNECT undici tells in words alone, as the cause of an abortion.
  const said = cause.cause instanceof Error ? cause.cause.message : '';
  const [, status] = /^Proxy response \((\d{3})\)/.exec(said) ?? [];
  if (status !== undefined) return new RelayUnreachable('proxy_refused', { status: Number(status) });
  const code = 'code' in cause ? String(cause.code) : '';
  const isUnreached = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code);
  const isBad = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_PRX_TLS'].includes(code);
  return isUnreached || isBad ? new RelayUnreachable('proxy_unreachable') : null;
}

/**
 * Once in a thread, before its first call to another computer: a tenth of a second of reading. What cannot be read is
 * left out.
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

/** A system may take long to find its proxy; the call has its own limit of time. */
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
