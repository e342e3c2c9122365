/**
 * Addresses that may be opened in the system's browser or mail program. Enforced on both sides: the page creates no
 * other links, and the desktop app opens no others. Without zod, so that pages can load it.
 */

/** Reports whether a URL is a web page or a mail address. */
export function mayLeadOutside(url: URL): boolean {
  // A name and password before the host can make it look like another host.
  const hasCredentials = url.username !== '' || url.password !== '';
  return url.protocol === 'https:' ? !hasCredentials : isLetter(url);
}

/**
 * Reports whether it is a mail address with the recipient first, and without file names: some mail programs attach
 * them.
 */
function isLetter({ protocol, pathname, href }: URL): boolean {
  return protocol === 'mailto:' && /^[^/]+@/.test(pathname) && !/[?&]attach/i.test(decoded(href));
}

/** Returned unchanged if it cannot be decoded: then mail programs cannot decode it either. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
