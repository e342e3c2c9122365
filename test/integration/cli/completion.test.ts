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

/** Output of a bash with the script, and with `waxwing` on its path. */
function bash(commands: string): string {
  const path = `${folder.path}${delimiter}${process.env.PATH}`;
  const script = `source <(waxwing completion bash)\n${commands}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', env: { ...process.env, PATH: path } });
}

/** Runs the completion function for the words that were typed, the last of them unfinished, and then a command. */
function complete(words: readonly string[], command: string): string {
  const typed = words.map((word) => `'${word}'`).join(' ');
  // compopt changes a completion that a keystroke has begun; here no key is pressed.
  return bash(`CHANGES=
compopt() { CHANGES+="$* "; }
COMP_WORDS=(${typed}) COMP_CWORD=${words.length - 1}
__waxwing_complete
${command}`).trim();
}

function offers(...words: string[]): string[] {
  return complete(words, `printf '%s\\n' "\${COMPREPLY[@]}"`).split('\n');
}

/** True if the function turns off the names of files that bash offers where it has nothing. */
function withoutFileNames(...words: string[]): boolean {
  return complete(words, 'echo "$CHANGES"').includes('+o default');
}

// Windows has no bash of its own.
describe.skipIf(process.platform === 'win32')('in bash', () => {
  test('the script completes waxwing', () => {
    expect(bash('complete -p waxwing')).toBe('complete -o default -F __waxwing_complete waxwing\n');
  });

  test('commands, their subcommands and options are offered', () => {
    expect(offers('waxwing', 'in')).toEqual(['init', 'inbox']);
    expect(offers('waxwing', 'groups', '')).toEqual(
      expect.arrayContaining(['create', 'join', 'leave', 'token']),
    );
    expect(offers('waxwing', 'send', '--gr')).toEqual(['--group']);
  });

  test('names of files are completed by bash itself where an option or argument names one, and nowhere else', () => {
    expect(withoutFileNames('waxwing', 'send', '--identity', 'ro')).toBe(false);
    expect(withoutFileNames('waxwing', 'relay', 'admin', 'backup', '')).toBe(false);
    expect(withoutFileNames('waxwing', 'groups', 'create', 'ro')).toBe(true);
  });
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('there is a script for %s', async (shell) => {
  const { code, said, complained } = await waxwing(['completion', shell]);
  expect([code, complained]).toEqual([0, '']);
  expect(said).toMatch(/waxwing complete '?--/);
});

test.each([
  [['send', '--identity', 'ro'], ':0'],
  [['send', '--verbose', '--identity', ''], ':0'],
  [['send', '--identity=ro'], ':0'],
  [['send', '--identity', '=', 'ro'], ':0'],
  [['init', '--file', ''], ':0'],
  [['relay', '--data', ''], ':0'],
  [['relay', 'admin', 'backup', '--data', 'd', ''], ':0'],
  [['relay', 'admin', 'backup', ''], ':0'],
  [['relay', 'admin', 'backup', 'copy.db', ''], ':4'],
  [['send', '--identity', 'robin.json', ''], ':4'],
  [['send', '--group', ''], ':4'],
  [['search', '--backup', ''], ':0'],
  [['export', '--backup', 'a', ''], ':0'],
  [['backup', 'verify', ''], ':0'],
  [['groups', 'create', ''], ':4'],
])('the words %j end in the answer %s', async (words, answer) => {
  const { said } = await waxwing(['complete', '--', ...words]);
  expect(said.trimEnd().split('\n').at(-1)).toBe(answer);
});
