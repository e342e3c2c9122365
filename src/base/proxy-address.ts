/** Parses the address of an HTTP proxy, as typed by people and set in environments. */

/**
 * The address as a URL without a path: `http://proxy.example:3128`, `https://…`. The default scheme is http,
 * as in curl(1). Credentials stay in it. Null for an invalid address.
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

/** Reports whether it is a valid address without credentials, which do not belong in a settings file. */
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
