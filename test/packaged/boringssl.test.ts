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
  'ML-KEM-768 by node > decapsulates every published ciphertext, including implicit rejections',
  'ML-KEM-768 by node > encapsulates to every published key, and refuses invalid ones',
  'ML-KEM-768 by node > encapsulates to the bytes of each call, also in the same memory and after other keys',
  'ML-KEM-768 by node > passes the known answers for choosing a backend',
  'both backends decapsulate to the same secret, for any seed',
  'chooses Node’s own if it works, and not if it is absent or wrong',
  'in suite 2, by node > opens every sealed copy',
  'opens ciphertexts of either backend, by noble',
  'opens ciphertexts of either backend, by node',
  'returns all ten published keys and secrets, by node',
];

/** Tests that replace modules, which Bun cannot. */
const UNABLE = ['test/unit/protocol/oracle.test.ts', 'test/unit/protocol/other-node.test.ts'];

function run(args: string[]): { status: number | null; stdout: string } {
  const [npm, ...before]: [string, ...string[]] = programOf('npm');
  const given = [...before, 'exec', '--yes', `--package=${BUN}`, '--', 'bun', ...args];
  // Generated cases are new in each run here. The usual number may miss one of those that must occur.
  const env = { ...process.env, WAXWING_TEST_RUNS: 'all' };
  const { status, stdout, stderr } = spawnSync(npm, given, { encoding: 'utf8', env });
  return { status, stdout: stdout + stderr };
}

test('on BoringSSL all vectors match and nothing else verifies, except for features that Bun lacks', () => {
  using folder = temporaryFolder();
  const stands = run(['-p', 'process.versions.boringssl']);
  expect(stands.status, stands.stdout).toBe(0);
  expect(stands.stdout).toMatch(/\b[0-9a-f]{40}\b/);
  const file = join(folder.path, 'report.xml');
  const files = ['./test/unit/protocol', ...UNABLE.map((file) => `--path-ignore-patterns=${file}`)];
  // Bun ends a test after five seconds otherwise, which depends on the machine.
  const { stdout } = run([
    'test',
    '--timeout=120000',
    ...files,
    '--reporter=junit',
    `--reporter-outfile=${file}`,
  ]);
  const report = readFileSync(file, 'utf8');
  const [, count] = /<testsuites [^>]*\btests="(\d+)"/.exec(report) ?? [];
  expect(Number(count), stdout).toBeGreaterThan(800);
  const failed = report
    .matchAll(/<testcase name="([^"]*)" classname="([^"]*)"[^>]*>\s*<failure/g)
    .map(([, name, group]) => (group ? `${group} > ${name}` : name))
    .toArray();
  // If one of them passes, Bun has the two functions now: take it out of the list.
  expect(failed.toSorted()).toEqual(LACKING);
});
