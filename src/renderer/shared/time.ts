/** Times for people, in their time zone, by Intl. Input times are milliseconds since 1970. */
import { durationIn } from '../../words/locale.ts';
import { locale } from '../locale.ts';

const dayLength = 86_400_000;

const formats = {
  clock: localFormat({ timeStyle: 'short' }),
  weekday: localFormat({ weekday: 'short' }),
  longWeekday: localFormat({ weekday: 'long' }),
  date: localFormat({ day: 'numeric', month: 'short' }),
  dateAndYear: localFormat({ day: 'numeric', month: 'short', year: 'numeric' }),
  longDate: localFormat({ weekday: 'long', day: 'numeric', month: 'long' }),
  longDateAndYear: localFormat({ day: 'numeric', month: 'long', year: 'numeric' }),
  full: localFormat({ dateStyle: 'full', timeStyle: 'short' }),
};

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** Formats in the computer's time zone at each call. A format of Intl keeps the zone in which it was created. */
function localFormat(options: Intl.DateTimeFormatOptions): { format: (time: number) => string } {
  const inUtc = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return { format: (time) => inUtc.format(time - new Date(time).getTimezoneOffset() * 60_000) };
}

/** Name of the computer's current time zone: in another one, messages may belong to other days. */
export function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Time of day, as in `14:05`. */
export function clockTime(time: number): string {
  return formats.clock.format(time);
}

/** Date and time in full, for tooltips and accessible names. */
export function fullTime(time: number): string {
  return formats.full.format(time);
}

/** A date, as in `3 May 2026`. */
export function plainDate(time: number): string {
  return formats.longDateAndYear.format(time);
}

/** A date of less than a year from now, as in `3 May`. */
export function shortDate(time: number): string {
  return formats.date.format(time);
}

/** The shortest useful time for a row of a list: time of day, weekday, or date. */
export function listTime(time: number, now: number): string {
  const days = daysBetween(time, now);
  if (days <= 0) return formats.clock.format(time);
  if (days < 7) return formats.weekday.format(time);
  return (sameYear(time, now) ? formats.date : formats.dateAndYear).format(time);
}

/** The caption of a day in a conversation: today, yesterday, a weekday, or a date. */
export function dayCaption(time: number, now: number): string {
  const days = daysBetween(time, now);
  if (days === 0 || days === 1) return capitalised(relative.format(-days, 'day'));
  if (days > 1 && days < 7) return formats.longWeekday.format(time);
  return (sameYear(time, now) ? formats.longDate : formats.longDateAndYear).format(time);
}

/** Reports whether two times are on one calendar day, in the local time zone. */
export function sameDay(one: number, other: number): boolean {
  return startOfDay(one) === startOfDay(other);
}

/** Whole seconds until a time, never negative. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1000));
}

/** A duration in the greatest unit of which it is a whole number, as in `4 weeks`. */
export const duration = (seconds: number) => durationIn(locale, seconds);

function daysBetween(earlier: number, later: number): number {
  return Math.round((startOfDay(later) - startOfDay(earlier)) / dayLength);
}

function startOfDay(time: number): number {
  const date = new Date(time);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function sameYear(one: number, other: number): boolean {
  return new Date(one).getFullYear() === new Date(other).getFullYear();
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}

/** A place in a sound, as in `1:05`. */
export function playTime(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
