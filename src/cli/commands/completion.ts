/**
 * `waxwing completion`: the script for the shell, and what that script asks.
 */
import createCompletion from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** To be added last: it completes the commands that the program has by then. */
export function addCompletionCommand(program: Command): void {
  createCompletion(program, { completionCommandName: 'completion' });
  const completion = program.commands.find((command) => command.name() === 'completion');
  completion?.description('print the script that completes commands in your shell').addHelpText(
    'after',
    `
Examples:
  $ source <(waxwing completion bash)                              # in ~/.bashrc
  $ source <(waxwing completion zsh)                               # in ~/.zshrc
  $ waxwing completion fish > ~/.config/fish/completions/waxwing.fish
  $ waxwing completion powershell | Out-String | Invoke-Expression # in $PROFILE`,
  );
}
