/** Limits of JSON texts, for interfaces as for the protocol. */
export { exceedsJsonLimits } from '../protocol/json.ts';
