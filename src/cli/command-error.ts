/**
 * A failure that a command foresaw: a kind, which decides the exit code, and a reason of src/cli/sentences.ts.
 */
import { InvalidArgumentError } from 'commander';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { ARGUMENT_SENTENCES, COMMAND_SENTENCES } from './sentences.ts';

type Kind = keyof typeof COMMAND_SENTENCES;
type Arguments<F> = F extends (...given: infer A extends unknown[]) => string ? A : never;
type Reason<K extends Kind> = K extends Kind ? keyof (typeof COMMAND_SENTENCES)[K] & string : never;
type Given<K extends Kind, R extends Reason<K>> = Arguments<
  (typeof COMMAND_SENTENCES)[K][R & keyof (typeof COMMAND_SENTENCES)[K]]
>;

const EXIT_CODES: Readonly<Record<Kind, ExitCode>> = {
  usage: EXIT.usage,
  credential: EXIT.credential,
  not_found: EXIT.notFound,
  unreachable: EXIT.unreachable,
  failed: EXIT.failed,
};

/** A command cannot do what it was asked to. The message is a sentence for the person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  /** What `--json` names it: the relay's code where the relay refused. */
  readonly code: string;
  /** Finer than the code; null where a relay gave none. */
  readonly reason: string | null;

  constructor(message: string, exitCode: ExitCode, code: string, reason: string | null) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.reason = reason;
  }
}

/** A failure of the catalogue. */
export function commandError<K extends Kind, R extends Reason<K>>(
  kind: K,
  reason: R,
  ...given: Given<K, R>
): CommandError {
  const sentences = COMMAND_SENTENCES[kind] as Record<string, (...given: unknown[]) => string>;
  return new CommandError(sentences[reason]?.(...given) ?? reason, EXIT_CODES[kind], kind, reason);
}

/** An argument that cannot be what it is meant for: the parser tells it, behind the argument's name. */
export function argumentError<R extends keyof typeof ARGUMENT_SENTENCES>(
  reason: R,
  ...given: Parameters<(typeof ARGUMENT_SENTENCES)[R]>
): InvalidArgumentError {
  const sentence = ARGUMENT_SENTENCES[reason] as (...given: unknown[]) => string;
  return new InvalidArgumentError(sentence(...given));
}
