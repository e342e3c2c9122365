/**
 * An envelope that is set aside instead of shown: a code with its parameters.
 */
import type { UnverifiableError } from '../../base/failure.ts';
import {
  type RefusedCode,
  type RefusedData,
  type RefusedParameters,
  refusedSentence,
} from '../../base/refused-sentences.ts';

/** Parameters of a code, if it has any. */
type Given<C extends RefusedCode> = keyof RefusedParameters[C] extends never
  ? []
  : [parameters: RefusedParameters[C]];

export class RefusedEnvelope<C extends RefusedCode = RefusedCode> extends Error {
  override readonly name = 'RefusedEnvelope';
  readonly code: C;
  readonly parameters: RefusedParameters[C];

  /** The message is the sentence for a terminal. */
  constructor(code: C, ...[parameters]: Given<C>) {
    const given = (parameters ?? {}) as RefusedParameters[C];
    super(refusedSentence({ code, parameters: given } as RefusedData));
    this.code = code;
    this.parameters = given;
  }

  get data(): RefusedData {
    return { code: this.code, parameters: this.parameters } as RefusedData;
  }
}

/** The refusal for a failure. */
export function refusedFrom({ code, parameters }: UnverifiableError): RefusedEnvelope {
  return new (RefusedEnvelope as new (code: RefusedCode, parameters: object) => RefusedEnvelope)(
    code,
    parameters,
  );
}
