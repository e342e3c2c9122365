/**
 * The headers on every answer that a host gives to its page.
 */

/** The page may load what this host serves, and nothing else; no other page may hold it in a frame. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Verifying someone scans their QR code.
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
};

/** The headers of an answer with a body: of the app's hosts, and of pages that only tests open. @param type its media type */
export function answerHeaders(type: string): Record<string, string> {
  return { ...SECURITY_HEADERS, 'content-type': type };
}
