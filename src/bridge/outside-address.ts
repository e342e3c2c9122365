/**
 * Which addresses may be handed to the system's browser or mail program. Held on both sides: the page makes links of no
 * others, and the desktop app opens no others. Without zod, so that a page can have it.
 */

/** Reports whether it is a page of the web, or an address of mail. */
export function mayLeadOutside(url: URL): boolean {
  // A name and password before the host make it look like another host.
  const hasCredentials = url.username !== '' || url.password !== '';
  return url.protocol === 'https:' ? !hasCredentials : isLetter(url);
}

/** Whether it is an address of mail that says first who gets it, and names no file: some mail programs attach it. */
function isLetter({ protocol, pathname, href }: URL): boolean {
  return protocol === 'mailto:' && /^[^/]+@/.test(pathname) && !/[?&]attach/i.test(decoded(href));
}

/** As it is where it cannot be decoded: then no mail program understands it either. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
