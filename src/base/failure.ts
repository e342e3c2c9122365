/**
 * Expected failures: a code with its parameters, as data across threads and the bridge. All others are bugs,
 * and become `unexpected`.
 */
import type { ParametersOf } from '../protocol/faults.ts';
import type { ProblemCode } from '../protocol/problems.ts';
import type { AppFailures } from './app-failures.ts';
import { type identity, sentences, type unproven, type unreachable } from './sentences.ts';

type Spoken = typeof sentences;
/** A refusal by a relay, in its own words, under its own code; `relay_problem` for an unknown one. */
export type RefusalCode = ProblemCode | 'relay_problem';
interface Refused {
  /** The relay's sentence: from outside, in English. */
  detail: string;
  /** A more specific code under the code; empty by default. */
  reason: string;
}

/** The parameters of each code. */
export type Failures = {
  [C in keyof Spoken]: ParametersOf<Spoken[C]>;
} & {
  [C in RefusalCode]: Refused;
} & AppFailures;

export type FailureCode = keyof Failures;

/** Parameters of a code, if it has any. */
type Given<C extends FailureCode> = keyof Failures[C] extends never ? [] : [parameters: Failures[C]];

/** A failure as data. */
export type FailureData = { [C in FailureCode]: { code: C; parameters: Failures[C] } }[FailureCode];

export class Failure<C extends FailureCode = FailureCode> extends Error {
  override readonly name: string = 'Failure';
  readonly code: C;
  readonly parameters: Failures[C];

  /** The message is the sentence for a terminal, or else the code. */
  constructor(code: C, ...[parameters]: Given<C>) {
    const given = (parameters ?? {}) as Failures[C];
    super(sentenceOf({ code, parameters: given } as FailureData));
    this.code = code;
    this.parameters = given;
  }

  get data(): FailureData {
    return { code: this.code, parameters: this.parameters } as FailureData;
  }
}

/** A failure from another thread or the bridge. */
export function failureFrom({ code, parameters }: FailureData): Failure {
  return new (Failure as new (code: FailureCode, parameters: object) => Failure)(code, parameters);
}

/** The sentence for a terminal. */
export function sentenceOf({ code, parameters }: FailureData): string {
  if (Object.hasOwn(sentences, code)) {
    const sentence = sentences[code as keyof Spoken] as (parameters: object) => string;
    return sentence(parameters);
  }
  return 'detail' in parameters ? parameters.detail : code;
}

/** No answer: no network, no relay, or a time-out. The request may or may not have been done. */
export class RelayUnreachable<
  C extends keyof typeof unreachable = keyof typeof unreachable,
> extends Failure<C> {
  override readonly name = 'RelayUnreachable';
}

/** The relay's view of an address or group differs from what its wallet or devices signed. */
export class UnverifiableError<C extends keyof typeof unproven = keyof typeof unproven> extends Failure<C> {
  override readonly name = 'UnverifiableError';
}

/** An identity cannot be used: its file, its device or its state at the relay is invalid. */
export class IdentityError<C extends keyof typeof identity = keyof typeof identity> extends Failure<C> {
  override readonly name = 'IdentityError';
}

/** Reports whether an error has one of these codes. */
export function failedWith<C extends FailureCode>(
  error: unknown,
  ...codes: readonly C[]
): error is Failure<C> {
  return error instanceof Failure && (codes as readonly FailureCode[]).includes(error.code);
}

/**
 * Reports whether newer devices of an address are known to exist, and the relay does not show them. This may be
 * transient.
 */
export function isWithheld(
  error: unknown,
): error is UnverifiableError<'keys_withheld' | 'own_keys_withheld'> {
  return failedWith(error, 'keys_withheld', 'own_keys_withheld');
}
