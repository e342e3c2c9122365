/** An expected failure of a command: a kind, which decides the exit code, and a reason of src/cli/sentences.ts. */
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

/** A failure of a command. The message is a sentence for the person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  /** The code in `--json`: the relay's own if the relay refused. */
  readonly code: string;
  /** More specific than the code; null if the relay gave none. */
  readonly reason: string | null;

  constructor(message: string, exitCode: ExitCode, code: string, reason: string | null) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.reason = reason;
  }
}

/** A failure from the catalogue. */
export function commandError<K extends Kind, R extends Reason<K>>(
  kind: K,
  reason: R,
  ...given: Given<K, R>
): CommandError {
  const sentences = COMMAND_SENTENCES[kind] as Record<string, (...given: unknown[]) => string>;
  return new CommandError(sentences[reason]?.(...given) ?? reason, EXIT_CODES[kind], kind, reason);
}

/** An invalid argument: the parser prints the sentence after the argument's name. */
export function argumentError<R extends keyof typeof ARGUMENT_SENTENCES>(
  reason: R,
  ...given: Parameters<(typeof ARGUMENT_SENTENCES)[R]>
): InvalidArgumentError {
  const sentence = ARGUMENT_SENTENCES[reason] as (...given: unknown[]) => string;
  return new InvalidArgumentError(sentence(...given));
}
