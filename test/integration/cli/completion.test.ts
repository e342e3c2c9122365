/**
 * The script that `waxwing completion` prints, in a real bash.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTRY, waxwing } from '../../support/waxwing-command.ts';
import { bash, complete, folder } from './completion.ts';

beforeAll(() => {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`;
  writeFileSync(join(folder.path, 'waxwing'), script, { mode: 0o755 });
});
afterAll(() => folder[Symbol.dispose]());

function offers(...words: string[]): string[] {
  return complete(words, `printf '%s\\n' "\${COMPREPLY[@]}"`).split('\n');
}

// Windows does not include bash.
describe.skipIf(process.platform === 'win32')('in bash', () => {
  test('the script completes waxwing', () => {
    expect(bash('complete -p waxwing')).toBe('complete -o default -F __waxwing_complete waxwing\n');
  });

  test('the script can be sourced again, also after that of a program with the same constants', () => {
    const again = 'source <(waxwing completion bash) 2>&1; type -t readonly; ';
    expect(bash(`readonly ShellCompDirectiveDefault=0; ${again}`)).toBe('builtin\n');
    expect(complete(['waxwing', 'grou'], `${again} printf '%s' "\${COMPREPLY[*]}"`)).toContain('groups');
  });

  test('commands, their subcommands and options are offered', () => {
    expect(offers('waxwing', 'in')).toEqual(['init', 'inbox']);
    expect(offers('waxwing', 'groups', '')).toEqual(
      expect.arrayContaining(['create', 'join', 'leave', 'token']),
    );
    expect(offers('waxwing', 'send', '--gr')).toEqual(['--group']);
  });
});

test.each(['bash', 'zsh', 'fish', 'powershell'])('there is a script for %s', async (shell) => {
  const { code, stdout, stderr } = await waxwing(['completion', shell]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/waxwing complete '?--/);
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
  const { stdout } = await waxwing(['complete', '--', ...words]);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(answer);
});
