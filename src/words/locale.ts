/**
 * Formats of dates, times and numbers: in the language of the interface, by the customs of the person's region.
 */
import type { Language } from './languages.ts';

/** The system's language: a tag of BCP 47. */
function systemLocale(): string {
  return new Intl.DateTimeFormat().resolvedOptions().locale;
}

/**
 * The locale for `Intl`. Words of a date, such as weekdays, are in the interface's language; their order, the signs in
 * numbers, and whether a day has 12 or 24 hours are the region's, as in `en-DE`.
 * @param system the system's language setting, as in `de-AT`
 */
export function localeOf(language: Language, system: string = systemLocale()): string {
  const { region } = new Intl.Locale(system).maximize();
  const { language: spoken } = new Intl.Locale(language);
  const { hourCycle } = new Intl.DateTimeFormat(system, { hour: 'numeric' }).resolvedOptions();
  return new Intl.Locale(spoken, { ...(region && { region }), ...(hourCycle && { hourCycle }) }).toString();
}

const UNITS = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in the greatest unit of which it is a whole number, as in `4 weeks`. */
export function durationIn(locale: string, seconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}
