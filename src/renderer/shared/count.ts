/** Numbers with their nouns. The interface speaks English, so its plural rules are English ones. */

const plurals = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat(undefined);

/** A count with its noun: `1 message`, `1,204 messages`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${numbers.format(count)} ${plurals.select(count) === 'one' ? singular : plural}`;
}

/** A count for a badge, which has no room for more than three digits. */
export function badgeCount(count: number): string {
  return count > 999 ? '999+' : numbers.format(count);
}
