/**
 * Checks that a request comes from this host's own page. Other pages in the same browser can reach the
 * loopback address too, also under their own name that resolves to it (DNS rebinding). So each request has to
 * prove its origin.
 */
import type { IncomingMessage } from 'node:http';

/**
 * HTTP status for refusing a request, or null if it is allowed.
 * @param authority the only `Host` of this host, such as `127.0.0.1:8080`
 */
export function refusalOf(request: IncomingMessage, authority: string): 421 | 403 | null {
  if (headersNamed(request, 'host').join() !== authority) return 421;
  const origins = headersNamed(request, 'origin');
  const isReading = ['GET', 'HEAD'].includes(request.method ?? '') && request.headers.upgrade === undefined;
  if (origins.length > 0 ? origins.join() !== `http://${authority}` : !isReading) return 403;
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none' ? null : 403;
}

/** All values of a header, including duplicates dropped by Node. */
function headersNamed(request: IncomingMessage, name: string): string[] {
  const { rawHeaders } = request;
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
