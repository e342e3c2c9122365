/**
 * A failure that a command foresaw.
 */
import { EXIT, type ExitCode } from './exit-codes.ts';

/** A command cannot do what it was asked to. The message is a sentence for the person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  /** What `--json` names it: the relay's code where the relay refused. */
  readonly code: string;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, code = 'failed') {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}

/** The command was called in a way that makes no sense. */
export function usageError(message: string): CommandError {
  return new CommandError(message, EXIT.usage, 'usage');
}

/** What is there to authenticate with does not do. */
export function credentialError(message: string): CommandError {
  return new CommandError(message, EXIT.credential, 'credential');
}
