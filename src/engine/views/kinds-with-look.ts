/**
 * Compile-time check that the interface (src/bridge/looks.ts) and the kinds list the same kinds with their
 * own view.
 */
import type { KindWithLook as Told } from '../../bridge/looks.ts';
import type { KindWithLook as Made } from '../../messaging/contents/all-kinds.ts';

/** Compiles only without a difference. */
export type SameNames<Differs extends never> = Differs;

/** Names in only one of both lists. */
export type Differing<A extends string, B extends string> = Exclude<A, B> | Exclude<B, A>;

export type LooksAreTold = SameNames<Differing<Made, Told>>;
