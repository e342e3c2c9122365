/** Limits of JSON in signed and sealed bytes. */

/** Levels of objects and lists in a body. Deeper nesting overflows the stack when it is written or copied. */
export const MAX_DEPTH = 32;

/** Reports whether a value exceeds a number of levels of objects and lists. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}
