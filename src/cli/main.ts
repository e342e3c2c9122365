/**
 * Runs the `waxwing` command.
 */
import { CommanderError } from 'commander';
import { beginLog, endLog } from './command-log.ts';
import { EXIT } from './exit-codes.ts';
import { mayLoseOutput, outputEnds, outputFailure } from './printing.ts';
import { type Commands, createProgram, wantsJson } from './program.ts';
import { refuseSecrets } from './secrets.ts';

/** Runs the command in this process's arguments, and sets its exit code. */
export async function main(commands: Commands): Promise<void> {
  // The reader may close the pipe early, as `head` does. Unwritten messages are then not acknowledged.
  // After any other error, such as a full disk, and after the loss of a new secret, the command fails.
  let lost: Error | null = null;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && mayLoseOutput()) process.exit(0);
    lost = error;
  });

  const args = process.argv.slice(2);
  try {
    refuseSecrets(args);
    const program = await createProgram(args, commands);
    await program.hook('preAction', (_program, command) => beginLog(command)).parseAsync();
    await outputEnds();
    if (lost) throw outputFailure(lost);
    await endLog(null);
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0; // or the version
    if (isHelp) await outputEnds();
    if (isHelp && !lost) {
      process.exitCode = EXIT.ok;
    } else {
      const { codeOf, report } = await import('./errors.ts');
      const failure = isHelp ? outputFailure(lost) : error;
      process.exitCode = report(failure, wantsJson(args));
      await endLog(codeOf(failure));
    }
  }
}
