/**
 * The bearer of this tab: from the link it was opened with, or kept from before a reload.
 */

const KEY = 'waxwing-bearer';

/** The bearer, or null if the link was used already or there was none. */
export async function obtainBearer(): Promise<string | null> {
  const token = location.hash.slice(1);
  if (token === '') return sessionStorage.getItem(KEY);
  // Out of the address bar and the history at once: it works only once, but nobody should be shown it.
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
