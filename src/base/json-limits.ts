/** Limits of JSON texts, for interfaces and the protocol. */
export { exceedsJsonLimits } from '../protocol/json.ts';
