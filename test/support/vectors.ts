/**
 * Reading test vectors.
 */
import { readFileSync } from 'node:fs';

/** Vectors of others. */
const FOLDER = new URL('../vectors/', import.meta.url);
/** The project's own, under the name `waxwing/`. */
const OWN_FOLDER = new URL('../../docs/vectors/', import.meta.url);

/**
 * The parsed JSON of a file of vectors, such as `eth/eip55-191-712-siwe.json` or `waxwing/sealing.json`. The caller states
 * its shape.
 */
export function readVectors<T>(path: string): T {
  const own = path.startsWith('waxwing/') ? path.slice('waxwing/'.length) : null;
  const url = own === null ? new URL(path, FOLDER) : new URL(own, OWN_FOLDER);
  return JSON.parse(readFileSync(url, 'utf8')) as T;
}

/** Bytes of hex digits, with or without 0x. */
export function bytes(hexDigits: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hexDigits.replace(/^0x/, ''), 'hex'));
}

/** Lower-case hex digits of bytes. */
export function hex(data: Uint8Array): string {
  return Buffer.from(data).toString('hex');
}

interface WycheproofFile<Group, Case> {
  numberOfTests: number;
  testGroups: (Group & { tests: (Case & WycheproofCase)[] })[];
}

interface WycheproofCase {
  tcId: number;
  comment: string;
  flags: string[];
  result: 'valid' | 'invalid' | 'acceptable';
}

/** All cases of a Wycheproof file, each with its group's fields; fails if the number of cases differs from the stated one. */
export function readWycheproof<Group, Case>(name: string): (Group & Case & WycheproofCase)[] {
  const file = readVectors<WycheproofFile<Group, Case>>(`wycheproof/${name}.json`);
  const cases = file.testGroups.flatMap(({ tests, ...group }) =>
    tests.map((test) => ({ ...(group as unknown as Group), ...test })),
  );
  if (cases.length !== file.numberOfTests) throw new Error(`${name} is incomplete`);
  return cases;
}
