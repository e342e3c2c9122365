import { locale } from '../locale.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const formats = UNITS.map(
  (unit) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      unitDisplay: unit === 'byte' ? 'long' : 'short',
      maximumSignificantDigits: 3,
    }),
);

/** A size for people, as in `1.24 MB`: units of 1,000, as systems and shops count. */
export function fileSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  // 999.6 would be rounded to 1,000.
  while (Math.round(size) >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return formats[unit]?.format(size) ?? '';
}
