/** Comparison of names for search. */

/** A text without accents and letter case: Zoë is found by "zoe". */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * Fit of a name to a typed text: 0 if a word begins with it, 1 if it occurs elsewhere, null if it does not
 * occur.
 */
export function fitOf(name: string, typed: string): 0 | 1 | null {
  const [whole, wanted] = [folded(name), folded(typed)];
  let at = whole.indexOf(wanted);
  if (at === -1) return null;
  for (; at !== -1 && at < whole.length; at = whole.indexOf(wanted, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(whole[at - 1] ?? '')) return 0;
  }
  return 1;
}
