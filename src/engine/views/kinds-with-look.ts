/**
 * Compile-time check that the interface (src/bridge/looks.ts) and the kinds list the same kinds with their
 * own view.
 */
import type { KindWithLook as Declared } from '../../bridge/looks.ts';
import type { KindWithLook as Implemented } from '../../messaging/contents/all-kinds.ts';

/** Compiles only without a difference. */
export type SameNames<Differs extends never> = Differs;

/** Names in only one of both lists. */
export type Differing<A extends string, B extends string> = Exclude<A, B> | Exclude<B, A>;

export type LooksAreComplete = SameNames<Differing<Implemented, Declared>>;
