/**
 * A request that is refused: a code of the protocol, and one of the relay's reasons under it.
 */
import { type FieldProblem, PROBLEMS, type ProblemBody, type ProblemCode } from '../../protocol/problems.ts';
import { REASONS, type ReasonOf, type ReasonParameters } from './reasons.ts';

interface Options {
  /** The fields that are wrong. */
  errors?: FieldProblem[];
  /** Seconds until the caller may try again, for the `Retry-After` header. */
  retryAfter?: number;
  /** The code's own, unless it is about a part of the request and not about the caller. */
  status?: number;
  /** Where in the request the element stands that is refused, as in `envelopes.3`. */
  path?: string;
  /** Length of what a range was asked of, in bytes, for the `Content-Range` header. */
  size?: number;
}

/** What a reason takes: its parameters, where it has any, and what else is to be told. */
type Given<C extends ProblemCode, R extends ReasonOf<C>> = keyof ReasonParameters<C, R> extends never
  ? [parameters?: Record<never, never>, options?: Options]
  : [parameters: ReasonParameters<C, R>, options?: Options];

export class ProblemError<
  C extends ProblemCode = ProblemCode,
  R extends ReasonOf<C> = ReasonOf<C>,
> extends Error {
  override readonly name = 'ProblemError';
  readonly code: C;
  readonly reason: R;
  readonly status: number;
  readonly #parameters: object;
  readonly #options: Options;

  constructor(code: C, reason: R, ...[parameters = {}, options = {}]: Given<C, R>) {
    super(`${options.path === undefined ? '' : `${options.path}: `}${sentenceOf(code, reason, parameters)}`);
    this.code = code;
    this.reason = reason;
    this.status = options.status ?? PROBLEMS[code].status;
    this.#parameters = parameters;
    this.#options = options;
  }

  get errors(): FieldProblem[] | undefined {
    return this.#options.errors;
  }

  get retryAfter(): number | undefined {
    return this.#options.retryAfter;
  }

  get size(): number | undefined {
    return this.#options.size;
  }

  /** The same problem, of an element of a larger request: `path` is where it stands. */
  inside(path: string): ProblemError {
    const errors = (this.errors ?? [{ path: '', message: this.message }]).map((error) => ({
      ...error,
      path: error.path ? `${path}.${error.path}` : path,
    }));
    const Same = ProblemError as new (
      code: C,
      reason: R,
      parameters: object,
      options: Options,
    ) => ProblemError;
    return new Same(this.code, this.reason, this.#parameters, { errors, status: this.status, path });
  }

  /** The wire form. */
  toBody(requestId: string): ProblemBody {
    return {
      type: `urn:waxwing:problem:${this.code}`,
      title: PROBLEMS[this.code].title,
      status: this.status,
      code: this.code,
      reason: this.reason,
      detail: this.message,
      ...(this.errors && { errors: this.errors }),
      requestId,
    };
  }
}

/** The sentence of a reason. */
function sentenceOf<C extends ProblemCode>(code: C, reason: ReasonOf<C>, parameters: object): string {
  const sentences = REASONS[code] as Record<string, (parameters: object) => string>;
  const sentence = sentences[reason];
  return sentence ? sentence(parameters) : PROBLEMS[code].title;
}
