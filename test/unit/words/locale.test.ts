import { expect, test } from 'vitest';
import { localeOf } from '../../../src/words/locale.ts';

const afternoon = new Date(2026, 10, 22, 14, 5);
const written = (system: string) => {
  const format = new Intl.DateTimeFormat(localeOf('en', system), {
    weekday: 'long',
    day: 'numeric',
    month: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  return format.format(afternoon);
};

test.each([
  ['de-DE', /^Sunday, 22\/11, 14:05$/],
  ['en-GB', /^Sunday,? 22\/11,? 14:05$/],
  ['en-US', /^Sunday, 11\/22, 2:05\sPM$/],
  ['fr', /^Sunday, 22\/11, 14:05$/],
])('a date is in the language of the interface, and by the customs of the region: %s', (system, look) => {
  expect(written(system)).toMatch(look);
});

test('the numbers in sentences follow the same locale', () => {
  expect(new Intl.NumberFormat(localeOf('en', 'de-DE')).format(1234.5)).toBe('1.234,5');
  expect(new Intl.NumberFormat(localeOf('en-XB', 'en-US')).format(1234.5)).toBe('1,234.5');
});
