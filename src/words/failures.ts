/**
 * Checks the sentences of failures by their codes: a missing sentence, or a parameter that its failure does not
 * have, does not compile.
 */
import type { GetICUArgs } from '@schummar/icu-type-parser';
import type { FailureCode, FailureData, Failures } from '../base/failure.ts';
import type { failure } from './english/failure.ts';
import type { Words } from './format.ts';

type Sentences = typeof failure;

/** Codes without a sentence, and those whose sentence needs more than the failure has. */
type Faulty = {
  [C in FailureCode]: C extends keyof Sentences
    ? keyof GetICUArgs<Sentences[C]> extends keyof Failures[C]
      ? never
      : C
    : C;
}[FailureCode];
/** Sentences for which there is no failure. */
type Unused = Exclude<keyof Sentences, FailureCode>;

const areComplete: [Faulty | Unused] extends [never] ? true : Faulty | Unused = true;

/** Name of a failure in a language. */
export function failureSentence(words: Words, { code, parameters }: FailureData): string {
  // The parameters are those of the code, by the check above; a union of codes does not determine them.
  const text = words.text as (key: string, values: object) => string;
  return areComplete && text(`failure.${code}`, parameters);
}
