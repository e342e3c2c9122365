import { readFileSync } from 'node:fs';

/** A file of docs/vectors, unchanged: its README describes the contents. */
// biome-ignore lint/suspicious/noExplicitAny: each test names the fields that it reads
export function readVectors(name: string): any {
  return JSON.parse(readFileSync(new URL(`../../../docs/vectors/${name}.json`, import.meta.url), 'utf8'));
}

/** Cases of such a file, one for each test. */
// biome-ignore lint/suspicious/noExplicitAny: each test names the fields that it reads
export const all = <T = Record<string, any>>(cases: unknown): T[] => cases as T[];
