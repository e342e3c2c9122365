/** All commands: those of the package, and the one that serves the app. */
import { COMMANDS, type Commands } from './program.ts';

// The completion script must know all others, so it is added last.
const { completion, ...others } = COMMANDS;

export const ALL_COMMANDS: Commands = {
  ...others,
  serve: {
    summary: 'run the app in your browser',
    load: async () => {
      const { addServeCommand } = await import('./commands/serve.ts');
      return (program) => addServeCommand(program, program.version() ?? '');
    },
  },
  ...(completion && { completion }),
};

export const COMMAND_NAMES: readonly string[] = Object.keys(ALL_COMMANDS);
