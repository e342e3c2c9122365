/** A refused request: a code of the protocol, and one of the relay's reasons under it. */
import { type FieldProblem, PROBLEMS, type ProblemBody, type ProblemCode } from '../../protocol/problems.ts';
import { REASONS, type ReasonOf, type ReasonParameters } from './reasons.ts';

interface Options {
  /** The fields that are wrong. */
  errors?: FieldProblem[];
  /** Seconds until the caller may try again, for the `Retry-After` header. */
  retryAfter?: number;
  /**
   * By default the status of the code; different for a problem with a part of the request instead of the caller.
   */
  status?: number;
  /** The path of the refused element in the request, such as `envelopes.3`. */
  path?: string;
  /** Total length in bytes, for the `Content-Range` header of a refused range. */
  size?: number;
}

/** Arguments of a reason: its parameters, where it has any, and optional details. */
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

  /** The same problem, of an element of a larger request at this path. */
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
