/**
 * The script that `waxwing completion` prints, in a real bash.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';
import { ENTRY, waxwing } from '../../support/waxwing-command.ts';

const folder = temporaryFolder();
beforeAll(() => {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`;
  writeFileSync(join(folder.path, 'waxwing'), script, { mode: 0o755 });
});
afterAll(() => folder[Symbol.dispose]());

/** What a bash says that has the script and `waxwing` on its path. */
function bash(commands: string): string {
  const path = `${folder.path}${delimiter}${process.env.PATH}`;
  const script = `source <(waxwing completion bash)\n${commands}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', env: { ...process.env, PATH: path } });
}

/** What bash offers for the words that were typed, the last of them unfinished. */
function offers(...words: string[]): string[] {
  const typed = words.map((word) => `'${word}'`).join(' ');
  // compopt changes a completion that a keystroke has begun, and nobody has pressed a key.
  return bash(`compopt() { :; }
COMP_WORDS=(${typed}) COMP_CWORD=${words.length - 1}
__waxwing_complete
printf '%s\\n' "\${COMPREPLY[@]}"`)
    .trim()
    .split('\n');
}

// Windows has no bash of its own.
describe.skipIf(process.platform === 'win32')('in bash', () => {
  test('the script completes waxwing', () => {
    expect(bash('complete -p waxwing')).toBe('complete -F __waxwing_complete waxwing\n');
  });

  test('commands, their own commands, and options are offered', () => {
    expect(offers('waxwing', 'in')).toEqual(['init', 'inbox']);
    expect(offers('waxwing', 'groups', '')).toEqual(
      expect.arrayContaining(['create', 'join', 'leave', 'token']),
    );
    expect(offers('waxwing', 'send', '--gr')).toEqual(['--group']);
  });
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('there is a script for %s', async (shell) => {
  const { code, said, complained } = await waxwing(['completion', shell]);
  expect([code, complained]).toEqual([0, '']);
  expect(said).toMatch(/waxwing complete '?--/);
});
