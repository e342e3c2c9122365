import type { Settings } from '../../bridge/settings.ts';

/** Reports whether a moment is within the quiet hours, by the clock of this computer. Equal times: never. */
export function isQuiet(quietHours: Settings['quietHours'], moment: Date): boolean {
  if (!quietHours) return false;
  const [from, to] = [minutesOf(quietHours.from), minutesOf(quietHours.to)];
  const now = moment.getHours() * 60 + moment.getMinutes();
  return from <= to ? from <= now && now < to : from <= now || now < to;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
