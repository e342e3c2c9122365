/** The headers of every answer from a host to its page. */

/** The page may only load files of this host, and no other page may frame it. */
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
  // Verifying someone scans their QR code; voice messages are recorded.
  'permissions-policy': 'camera=(self), microphone=(self), geolocation=()',
};

/**
 * The headers of an answer with a body: of the app's hosts, and of test pages.
 * @param type its media type
 */
export function answerHeaders(type: string): Record<string, string> {
  return { ...SECURITY_HEADERS, 'content-type': type };
}
