/** Errors for callers. The sentence of each code is in src/base/sentences.ts. */
export { Failure, failedWith, IdentityError, RelayUnreachable, UnverifiableError } from '../base/failure.ts';
export { RelayRefusal } from '../messaging/relay.ts';
