import { locale } from '../locale.ts';

const numbers = new Intl.NumberFormat(locale);

/** A count for a badge, which has no room for more than three digits. */
export function badgeCount(count: number): string {
  return count > 999 ? '999+' : numbers.format(count);
}
