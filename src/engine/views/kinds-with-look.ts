/**
 * Holds what an interface knows to have a look of its own (src/bridge/looks.ts) to the kinds that have one: a name that
 * stands in one list alone does not compile.
 */
import type { KindWithLook as Told } from '../../bridge/looks.ts';
import type { KindWithLook as Made } from '../../messaging/contents/all-kinds.ts';

/** Compiles only where nothing differs. */
export type SameNames<Differs extends never> = Differs;

/** Names that stand in one of both lists. */
export type Differing<A extends string, B extends string> = Exclude<A, B> | Exclude<B, A>;

export type LooksAreTold = SameNames<Differing<Made, Told>>;
