/**
 * A failed action of the operator: a reason with its parameters, as data that crosses threads and the operator's
 * socket.
 */
import { OPERATOR_SENTENCES, type OperatorParameters, type OperatorReason } from './sentences.ts';

/** A failure as data. */
export type OperatorFailureData = {
  [R in OperatorReason]: { reason: R; parameters: OperatorParameters<R> };
}[OperatorReason];

type Given<R extends OperatorReason> = keyof OperatorParameters<R> extends never
  ? []
  : [parameters: OperatorParameters<R>];

export class OperatorFailure<R extends OperatorReason = OperatorReason> extends Error {
  override readonly name = 'OperatorFailure';
  readonly reason: R;
  readonly parameters: OperatorParameters<R>;

  /** The message is the sentence for the operator. */
  constructor(reason: R, ...[parameters]: Given<R>) {
    const given = (parameters ?? {}) as OperatorParameters<R>;
    const sentence = OPERATOR_SENTENCES[reason] as (parameters: object) => string;
    super(sentence(given as object));
    this.reason = reason;
    this.parameters = given;
  }

  get data(): OperatorFailureData {
    return { reason: this.reason, parameters: this.parameters } as OperatorFailureData;
  }
}

/** A failure received from another thread or through the operator's socket. */
export function operatorFailureFrom({ reason, parameters }: OperatorFailureData): OperatorFailure {
  return new (OperatorFailure as new (reason: OperatorReason, parameters: object) => OperatorFailure)(
    reason,
    parameters,
  );
}
