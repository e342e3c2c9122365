import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const DAY = 24 * 3_600_000;

/** A file of this age, in milliseconds. */
export function leave(path: string, age: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'left');
  const at = (Date.now() - age) / 1000;
  utimesSync(path, at, at);
  return path;
}
