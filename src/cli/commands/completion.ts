/** `waxwing completion`: the completion script of a shell, and the answers to its queries. */
import createCompletion from '@bomb.sh/tab/commander';
import type { Command, Option } from 'commander';
import { PATHS, valueNameOf } from '../command.ts';
import { print } from '../printing.ts';

/** The script needs a function of bash-completion, which macOS and small systems lack. */
const BASH_HELPER = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD - 1]}
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
    }
fi
`;

/**
 * The package's script makes its constants read-only, as the scripts of other programs do under the same names: a
 * second `source ~/.bashrc` would print an error for each of them.
 */
const BASH_CONSTANTS = `readonly() { printf -v "\${1%%=*}" %s "\${1#*=}" 2>/dev/null || true; }\n`;
const BASH_CONSTANTS_END = 'unset -f readonly\n';

/** The package registers its function without file names for the answers that allow them. */
const BASH_FILE_NAMES = 'complete -o default -F __waxwing_complete waxwing\n';

/** An answer without commands or options: the shell completes the name of a file or folder itself. */
const FILE_NAME = ':0';

/** Must be added last: it completes the commands that the program has by then. */
export function addCompletionCommand(program: Command): void {
  const completions = createCompletion(program, { completionCommandName: 'completion' });
  const completion = program.commands.find((command) => command.name() === 'completion');
  program.commands
    .find((command) => command.name() === 'complete')
    ?.action(async (words: string[]) => {
      if (isPathExpected(program, words)) await print(FILE_NAME);
      else completions.parse(words);
    });
  completion
    ?.description('print the script that completes commands in your shell')
    .hook('preAction', (_, { args }) => {
      if (args[0] === 'bash') process.stdout.write(BASH_HELPER + BASH_CONSTANTS);
    })
    .hook('postAction', (_, { args }) => {
      if (args[0] === 'bash') process.stdout.write(BASH_CONSTANTS_END + BASH_FILE_NAMES);
    })
    .addHelpText(
      'after',
      `
Examples:
  $ source <(waxwing completion bash)                              # in ~/.bashrc
  $ source <(waxwing completion zsh)                               # in ~/.zshrc
  $ waxwing completion fish > ~/.config/fish/completions/waxwing.fish
  $ waxwing completion powershell | Out-String | Invoke-Expression # in $PROFILE`,
    );
}

/**
 * True if the last word is the path of a file or folder.
 * @param words after `waxwing`; the last one is unfinished, or empty
 */
function isPathExpected(program: Command, words: readonly string[]): boolean {
  const typed = words.at(-1) ?? '';
  let command = program;
  let operands = 0;
  let pending: Option | undefined;
  for (const word of words.slice(0, -1)) {
    const inner = operands === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    // Without its completion package, bash splits --data=folder into three words.
    if (pending) pending = word === '=' ? pending : undefined;
    else if (word.startsWith('-')) pending = optionOf(command, word);
    else if (inner) command = inner;
    else operands++;
  }
  const [name = '', value] = typed.split('=');
  if (value !== undefined) pending ??= optionOf(command, name);
  if (pending) return PATHS.includes(valueNameOf(pending));
  return !typed.startsWith('-') && PATHS.includes(command.registeredArguments[operands]?.name());
}

/** The option that the word names, if it has a value. */
function optionOf(command: Command, word: string): Option | undefined {
  return command.options.find((one) => valueNameOf(one) && [one.short, one.long].includes(word));
}
