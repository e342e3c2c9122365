/**
 * The protocol on BoringSSL, which Electron uses where Node uses OpenSSL. Bun has it too, and is an npm package: it
 * runs the tests of the protocol, with all their vectors. It is fetched for this run, because of its hundred megabytes.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { programOf } from '../../scripts/project.mjs';
import { temporaryFolder } from '../support/engine.ts';

const BUN = 'bun@1.4.5';

/** Bun accepts ML-KEM keys and derives them from seeds, but its `node:crypto` has neither `encapsulate` nor `decapsulate`. */
const LACKING = [
  'ML-KEM-768 by node > decapsulates every published ciphertext, also those that it rejects without an error',
  'ML-KEM-768 by node > encapsulates to every published key, and refuses those that are none',
  'ML-KEM-768 by node > passes the known answers by which a backend is chosen',
  'Node’s own is taken where it works, and one that is absent or wrong is not',
  'all ten published keys and secrets come out, by node',
  'in suite 2, by node > every sealed copy opens',
  'what either backend encapsulates opens, by noble',
  'what either backend encapsulates opens, by node',
  'what one backend encapsulates both decapsulate to the same, for any seed',
];

/** Replaces modules where Bun cannot. */
const UNABLE = 'test/unit/protocol/oracle.test.ts';

function run(args: string[]): { status: number | null; said: string } {
  const [npm, ...before]: [string, ...string[]] = programOf('npm');
  const given = [...before, 'exec', '--yes', `--package=${BUN}`, '--', 'bun', ...args];
  const { status, stdout, stderr } = spawnSync(npm, given, { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

test('on BoringSSL all vectors match and nothing else verifies, except for features that Bun lacks', () => {
  using folder = temporaryFolder();
  const stands = run(['-p', 'process.versions.boringssl']);
  expect(stands.status, stands.said).toBe(0);
  expect(stands.said).toMatch(/\b[0-9a-f]{40}\b/);
  const file = join(folder.path, 'report.xml');
  const files = ['./test/unit/protocol', `--path-ignore-patterns=${UNABLE}`];
  const { said } = run(['test', ...files, '--reporter=junit', `--reporter-outfile=${file}`]);
  const report = readFileSync(file, 'utf8');
  const [, count] = /<testsuites [^>]*\btests="(\d+)"/.exec(report) ?? [];
  expect(Number(count), said).toBeGreaterThan(800);
  const failed = report
    .matchAll(/<testcase name="([^"]*)" classname="([^"]*)"[^>]*>\s*<failure/g)
    .map(([, name, group]) => (group ? `${group} > ${name}` : name))
    .toArray();
  // If one of them passes, Bun has the two functions now: take it out of the list.
  expect(failed.toSorted()).toEqual(LACKING);
});
