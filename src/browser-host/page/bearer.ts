/** The bearer of this tab: from its link, or stored before a reload. */

const KEY = 'waxwing-bearer';

/** The bearer, or null for a used link or none. */
export async function obtainBearer(): Promise<string | null> {
  const token = location.hash.slice(1);
  if (token === '') return sessionStorage.getItem(KEY);
  // Removed from the address bar and the history at once: it works only once, but must not be visible.
  history.replaceState(null, '', location.pathname);
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  }).catch(() => null);
  if (!response?.ok) return sessionStorage.getItem(KEY);
  const { bearer } = (await response.json()) as { bearer: string };
  sessionStorage.setItem(KEY, bearer);
  return bearer;
}
