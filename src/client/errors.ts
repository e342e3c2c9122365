/**
 * What a caller can meet besides the relay's own refusals (http.ts). Each message is a sentence for a person.
 */

/** What the relay shows of somebody's keys is not what that address signed. Nothing is sealed to such keys. */
export class UnverifiableError extends Error {
  override readonly name = 'UnverifiableError';
}

/** An identity cannot be used: its file, its device or its place at the relay is not what it must be. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}
