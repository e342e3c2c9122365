/**
 * test/model/roster.pml, explored by Spin: every order in which an honest or a lying relay can show entries.
 * Without `spin` and `gcc` (Debian has both) these tests are skipped, with a message.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../model/roster.pml', import.meta.url));
const missing = [
  ['spin', '-V'],
  ['gcc', '--version'],
].filter(([program, version]) => spawnSync(program ?? '', [version ?? '']).error !== undefined);
const canSearch = missing.length === 0;
if (!canSearch) console.warn(`not installed, so the model is not searched: ${missing.map(([name]) => name)}`);

const folder = mkdtempSync(join(tmpdir(), 'roster-model-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Explores the whole model in one form. Returns the number of errors, and the first assertion that failed.
 */
function search(form: string[], liveness = false): { errors: number; states: number; wrong: string | null } {
  const cwd = mkdtempSync(join(folder, 'search-'));
  execFileSync('spin', ['-a', ...form.map((flag) => `-D${flag}`), source], { cwd, stdio: 'pipe' });
  const safety = liveness ? [] : ['-DSAFETY'];
  execFileSync('gcc', ['-O1', '-w', '-DCOLLAPSE', ...safety, '-o', 'pan', 'pan.c'], { cwd, stdio: 'pipe' });
  const fair = liveness ? ['-a', '-f'] : [];
  const { stdout } = spawnSync('./pan', ['-m100000', ...fair], { cwd, encoding: 'utf8' });
  if (/max search depth too small|out of memory/.test(stdout)) throw new Error('the search was cut short');
  const errors = /errors: (\d+)/.exec(stdout)?.[1];
  const states = /(\d+) states, stored/.exec(stdout)?.[1];
  if (errors === undefined || states === undefined) throw new Error(`Spin printed no result: ${stdout}`);
  return {
    errors: Number(errors),
    states: Number(states),
    wrong: /assertion violated (.*) \(at/.exec(stdout)?.[1] ?? null,
  };
}

test.skipIf(!canSearch).each([
  ['an honest relay', []],
  ['a lying relay', ['LIES']],
])('no rollback, no return, no reader and no false sender after a removal: %s', (_relay, form) => {
  const { errors, states, wrong } = search(form);
  expect([errors, wrong]).toEqual([0, null]);
  expect(states).toBeGreaterThan(10_000);
});

test.skipIf(!canSearch)('joins continue while all members are offline', () => {
  expect(search(['ALONE'], true).errors).toBe(0);
});

test.skipIf(!canSearch).each([
  ['a removed member needs no ticket', ['BREAK=1'], 'usedTicket'],
  ['a ticket from before the removal serves', ['BREAK=2'], 'usedTicket'],
  ['a chain may be replaced', ['LIES', 'BREAK=3'], 'found'],
  ['a proof does not stop sending', ['LIES', 'BREAK=4'], 'proven'],
  ['the time of arrival does not count, with an honest relay', ['BREAK=5'], 'mailSent'],
  ['the time of arrival does not count, with a lying relay', ['LIES', 'BREAK=5'], 'lastRead'],
  ['a relay may date mail back', ['LIES', 'BREAK=6'], 'lastRead'],
  ['clients do not ask for the chain', ['BREAK=7'], 'kept'],
])('the model notices if %s', (_rule, form, about) => {
  const { errors, wrong } = search(form);
  expect(errors).toBe(1);
  expect(wrong).toContain(about);
});
