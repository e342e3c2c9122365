/** Comparison of names with a typed text, as search compares texts. */
import { toSearchText } from './search-text.ts';

/**
 * Fit of a name to a typed text: 0 if a word begins with it, 1 if it occurs elsewhere, null if it does not
 * occur.
 */
export function fitOf(name: string, typed: string): 0 | 1 | null {
  const [whole, wanted] = [toSearchText(name), toSearchText(typed)];
  let at = whole.indexOf(wanted);
  if (at === -1) return null;
  for (; at !== -1 && at < whole.length; at = whole.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{M}\p{N}]/u.test(whole[at - 1] ?? '')) return 0;
  }
  return 1;
}
