/** `waxwing completion`: the completion script of a shell, and the answers to its queries. */
import createCompletion from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

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

/** Must be added last: it completes the commands that the program has by then. */
export function addCompletionCommand(program: Command): void {
  createCompletion(program, { completionCommandName: 'completion' });
  const completion = program.commands.find((command) => command.name() === 'completion');
  completion
    ?.description('print the script that completes commands in your shell')
    .hook('preAction', (_, { args }) => {
      if (args[0] === 'bash') process.stdout.write(BASH_HELPER);
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
