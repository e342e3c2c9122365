/**
 * The address of an HTTP proxy, as people and environments write it.
 */

/**
 * The address as a URL, without a path: `http://proxy.example:3128`, `https://…`. Where no scheme is given it is http, as
 * curl(1) has it. A name and password before the host stay in it. Null for what is no such address.
 */
export function proxyUrl(text: string): string | null {
  const trimmed = text.trim();
  const guess = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(guess)) return null;
  const { protocol, hostname, pathname, search, hash, username, password, host } = new URL(guess);
  const isBare = pathname === '/' && search === '' && hash === '';
  if (
    !['http:', 'https:'].includes(protocol) ||
    hostname === '' ||
    !isBare ||
    !isDecodable(username + password)
  ) {
    return null;
  }
  const credentials = username === '' ? '' : `${username}${password && `:${password}`}@`;
  return `${protocol}//${credentials}${host}`;
}

/** Whether it is such an address in that form, with no name and password: those do not belong into a file of settings. */
export function isPlainProxyUrl(text: string): boolean {
  return proxyUrl(text) === text && new URL(text).username === '';
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
