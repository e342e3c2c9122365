/** The script that `waxwing completion` prints, in a real bash: steps that the quick and the slow tests share. */
import { execFileSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { temporaryFolder } from '../../support/engine.ts';

export const folder = temporaryFolder();

/** Output of bash with the script, and with `waxwing` on its path. */
export function bash(commands: string): string {
  const path = `${folder.path}${delimiter}${process.env.PATH}`;
  const script = `source <(waxwing completion bash)\n${commands}`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8', env: { ...process.env, PATH: path } });
}

/** Runs the completion function for the words that were typed, the last of them unfinished, and then a command. */
export function complete(words: readonly string[], command: string): string {
  const typed = words.map((word) => `'${word}'`).join(' ');
  // compopt changes a completion that a keystroke has begun; here no key is pressed.
  return bash(`CHANGES=
compopt() { CHANGES+="$* "; }
COMP_WORDS=(${typed}) COMP_CWORD=${words.length - 1}
__waxwing_complete
${command}`).trim();
}
