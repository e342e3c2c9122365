/** What an operator has done or wants cannot be: the message is a sentence for them. */
export class OperatorFailure extends Error {
  override readonly name: string = 'OperatorFailure';
}
