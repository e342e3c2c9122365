/**
 * What JSON may be in signed and sealed bytes.
 */

/** Levels of objects and lists in a body. What is nested deeper overflows the stack of who writes or copies it. */
export const MOST_DEPTH = 32;

/** Reports whether a value has more than so many levels of objects and lists. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}
