/**
 * What a caller can meet. Each code has its sentence in src/base/sentences.ts.
 */
export { Failure, failedWith, IdentityError, RelayUnreachable, UnverifiableError } from '../base/failure.ts';
export { RelayRefusal } from '../messaging/relay.ts';
